/** Sign-in by challenge, and the approval of session keys. */

import { type Account, liveSessions, type SessionRecord } from '@venue/engine';
import {
  type Address,
  type Hex,
  sessionApprovalMessage,
  sessionRevokeMessage,
  type SessionRecord as WireSession,
} from '@venue/protocol';
import {
  AddressQuerySchema,
  ChallengeAnswerSchema,
  SessionAnswerSchema,
  SessionListSchema,
  SessionRequestSchema,
  SessionRevokeAnswerSchema,
  SessionRevokeRequestSchema,
  VerifyAnswerSchema,
  VerifyRequestSchema,
} from '@venue/protocol/wire';
import { accountView } from '../../views/account.ts';
import { refuse } from '../errors.ts';
import { type Route, route } from '../route.ts';
import { type Services, submit } from '../services.ts';
import { addressField, approvalTerms, termsInForce } from '../session-keys.ts';
import { signIn } from '../sign-in.ts';

export function authRoutes(services: Services): Route[] {
  return [challenge(services), verify(services), approve(services), list(services), revoke(services)];
}

function challenge(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/auth/challenge',
    access: 'public',
    // It is answered by a sign-in, which is an entry.
    atNode: true,
    query: AddressQuerySchema,
    answer: ChallengeAnswerSchema,
    contract: {
      id: 'challenge',
      tag: 'Sign-in',
      summary: 'The text to sign in with',
      text: 'Sign the bytes of `message` as they came, under EIP-191, with the wallet. A challenge counts once and for ten minutes; asking again meanwhile gives the same one (AUTH-1).',
    },
    handle: ({ query }) => ({ message: services.challenges.issue(addressField('address', query.address)) }),
  });
}

function verify(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/auth/verify',
    access: 'public',
    body: VerifyRequestSchema,
    answer: VerifyAnswerSchema,
    contract: {
      id: 'verify',
      tag: 'Sign-in',
      summary: 'Sign in with the signed challenge',
      text: 'Consumes the challenge whether or not the signature is valid: after `bad signature` ask for another. The token lives 24 hours and goes into `x-paper-token` or `Authorization: Bearer`, never into a path. In paper mode the first sign-in funds the account (ACC-2).',
      errors: ['noChallenge', 'challengeExpired', 'badSignature', 'tooManyAccounts'],
    },
    handle: ({ body }) => {
      const address = addressField('address', body.address);
      const signed = { address, signature: body.signature };
      return signIn(services, signed, (account) => signedIn(services, address, account));
    },
  });
}

function approve(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/auth/session',
    access: 'public',
    body: SessionRequestSchema,
    answer: SessionAnswerSchema,
    contract: {
      id: 'approveSession',
      tag: 'Sign-in',
      summary: 'Approve a session key',
      text: 'The wallet signs eight lines that name the account, the session key and the end of the session in milliseconds, at most 30 days ahead. Opens the account as a sign-in would, and answers a token. Posting the approval in force again changes nothing; a revoked key stays dead (KEY-1, KEY-2).',
      errors: [
        'badSignature',
        'approvalNotByAccount',
        'badExpiry',
        'unknownSessionKey',
        'tooManySessions',
        'tooManyAccounts',
      ],
    },
    handle: async ({ body }) => {
      const terms = approvalTerms(body);
      const signer = await services.verifier.recover(sessionApprovalMessage(terms), body.signature);
      if (signer === null) refuse('badSignature');
      if (signer !== terms.account) refuse('approvalNotByAccount');
      const { account: address, sessionKey, expiresAtMs: expiresAt } = terms;
      const command = {
        kind: 'approve',
        address,
        sessionKey,
        expiresAt,
        signature: body.signature as Hex,
      } as const;
      return submit(services, command, ({ account, session }) => ({
        ok: true,
        sessionKey,
        expiresAt: session.expiresAt,
        ...signedIn(services, address, account),
      }));
    },
  });
}

function list(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/auth/session',
    access: 'public',
    query: AddressQuerySchema,
    answer: SessionListSchema,
    contract: {
      id: 'sessions',
      tag: 'Sign-in',
      summary: 'The session keys in force for a wallet',
      text: 'In the order of their approvals. A wallet that nobody knows has none.',
    },
    handle: ({ query }) => {
      const account = services.state.accountByAddress.get(addressField('address', query.address));
      const sessions = account === undefined ? [] : liveSessions(account, services.now());
      return { sessions: sessions.map(sessionView) };
    },
  });
}

/** The revocation's own signature is proof, and so is that of the approval in force (KEY-3). */
function revoke(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/auth/session/revoke',
    access: 'public',
    body: SessionRevokeRequestSchema,
    answer: SessionRevokeAnswerSchema,
    contract: {
      id: 'revokeSession',
      tag: 'Sign-in',
      summary: 'Revoke a session key',
      text: 'The wallet signs `Venue: revoke a trading session.` with account, session key and the approval’s expiry, which the service takes from its own record; the approval’s own signature is proof too. Repeating it is harmless (KEY-3).',
      errors: ['unknownSessionKey', 'notYourSessionKey', 'badSignature'],
    },
    handle: async ({ body }) => {
      const address = addressField('address', body.address);
      const sessionKey = addressField('sessionKey', body.sessionKey);
      const terms = termsInForce(services.state, address, sessionKey);
      const texts = [sessionRevokeMessage(terms), sessionApprovalMessage(terms)];
      const signers = await Promise.all(texts.map((text) => services.verifier.recover(text, body.signature)));
      if (!signers.includes(address)) refuse('badSignature');
      const command = { kind: 'revoke', address, sessionKey, signature: body.signature as Hex } as const;
      return submit(services, command, ({ revokedAt }) => ({ ok: true, sessionKey, revokedAt }));
    },
  });
}

function signedIn(services: Services, address: Address, account: Account) {
  return { token: services.tokens.issue(address), account: accountView(services.state, account) };
}

function sessionView({ sessionKey, expiresAt, approvedAt }: SessionRecord): WireSession {
  return { sessionKey, expiresAt, approvedAt };
}
