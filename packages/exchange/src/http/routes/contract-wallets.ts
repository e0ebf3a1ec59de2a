/** Approvals and revocations by contract wallets: posted by their owners, answered by the attestor (CUS-19). */

import type { ParkCommand } from '@venue/engine';
import type { ParkedSession } from '@venue/protocol';
import {
  AttestRequestSchema,
  ContractRevokeRequestSchema,
  ContractSessionRequestSchema,
  ParkedListSchema,
  ParkedQuerySchema,
  ParkedSessionSchema,
} from '@venue/protocol/wire';
import { parkedRows, parkedView, waitingView } from '../../views/parked.ts';
import { refuse } from '../errors.ts';
import { KIB, type Route, route, type Shown } from '../route.ts';
import { type Services, submit } from '../services.ts';
import { addressField, approvalTerms, termsInForce } from '../session-keys.ts';
import { exactInteger, lowerHex } from '../texts.ts';

/** Room for a signature of 4 KiB in hex. */
const BODY_BYTES = 16 * KIB;

export function contractWalletRoutes(services: Services): Route[] {
  return [approve(services), revoke(services), follow(services), waiting(services), attest(services)];
}

/** Options shared by the routes of the wallets' owners. */
const OWNERS_ROUTE = { access: 'public', modes: ['deposits'], answer: ParkedSessionSchema } as const;

function approve(services: Services): Route {
  return route({
    ...OWNERS_ROUTE,
    method: 'POST',
    path: '/v1/auth/session/contract',
    bodyLimitBytes: BODY_BYTES,
    body: ContractSessionRequestSchema,
    contract: {
      id: 'approveSessionByContract',
      tag: 'Sign-in',
      summary: 'Approve a session key with a contract wallet',
      text: 'The contract signs the text that a wallet with a key signs; `signature` is what its `isValidSignature` accepts for the EIP-191 hash (ERC-1271), wrapped as ERC-6492 says while it is not deployed. The approval is parked until the venue has asked its nodes of the chain, ten minutes at most. It then does what the approval of a key does, except that it answers no token: the session key signs a challenge for its account instead. Eight may be parked for an address, 256 in all (CUS-19).',
      errors: ['badExpiry', 'unknownSessionKey', 'tooManySessions', 'tooManyParked', 'signsItself'],
    },
    handle: ({ body }) => {
      const { account: address, sessionKey, expiresAtMs: expiresAt } = approvalTerms(body);
      const signature = lowerHex(body.signature);
      return park(services, { kind: 'park', act: 'approve', address, sessionKey, expiresAt, signature });
    },
  });
}

/** Takes the expiry from the approval in force, as the revocation by a key does (KEY-3). */
function revoke(services: Services): Route {
  return route({
    ...OWNERS_ROUTE,
    method: 'POST',
    path: '/v1/auth/session/contract/revoke',
    bodyLimitBytes: BODY_BYTES,
    body: ContractRevokeRequestSchema,
    contract: {
      id: 'revokeSessionByContract',
      tag: 'Sign-in',
      summary: 'Revoke a session key with a contract wallet',
      text: 'As the approval by a contract wallet; the text is that of a revocation by a key, with the expiry of the approval in force. It is parked in the same way (CUS-19, KEY-3).',
      errors: ['unknownSessionKey', 'notYourSessionKey', 'tooManyParked', 'signsItself'],
    },
    handle: ({ body }) => {
      const address = addressField('address', body.address);
      const sessionKey = addressField('sessionKey', body.sessionKey);
      const { expiresAtMs: expiresAt } = termsInForce(services.state, address, sessionKey);
      const signature = lowerHex(body.signature);
      return park(services, { kind: 'park', act: 'revoke', address, sessionKey, expiresAt, signature });
    },
  });
}

function park(services: Services, command: ParkCommand): Promise<Shown<ParkedSession>> {
  return submit(services, command, ({ parked }) => waitingView(parked, services.now()));
}

function follow({ state, now }: Services): Route {
  return route({
    ...OWNERS_ROUTE,
    method: 'GET',
    path: '/v1/auth/session/contract',
    query: ParkedQuerySchema,
    contract: {
      id: 'parkedSession',
      tag: 'Sign-in',
      summary: 'What became of an approval by a contract wallet',
      text: '`parked` until it is `approved`, `refused` with a reason, or `lapsed`. The answers to the newest 1,024 are remembered (CUS-19).',
      errors: ['unknownParked'],
    },
    handle: ({ query }) => parkedView(state, Number(query.id), now()) ?? refuse('unknownParked'),
  });
}

/** Options shared by the routes of the attestor. */
const ATTESTORS_ROUTE = {
  access: 'attest',
  modes: ['deposits'],
  contract: { excluded: 'called by operators and their daemons alone, with a secret of theirs' },
} as const;

function waiting({ state, now }: Services): Route {
  return route({
    ...ATTESTORS_ROUTE,
    method: 'GET',
    path: '/v1/operator/parked',
    answer: ParkedListSchema,
    handle: () => ({ parked: parkedRows(state, now()) }),
  });
}

function attest(services: Services): Route {
  return route({
    ...ATTESTORS_ROUTE,
    method: 'POST',
    path: '/v1/operator/parked/attest',
    bodyLimitBytes: 4 * KIB,
    body: AttestRequestSchema,
    answer: ParkedSessionSchema,
    handle: ({ body }) => {
      const command = {
        kind: 'attest',
        id: exactInteger('id', body.id),
        verdict: body.verdict,
        chainId: exactInteger('chainId', body.chainId),
        blockNumber: exactInteger('blockNumber', body.blockNumber + 0),
        blockHash: lowerHex(body.blockHash),
      } as const;
      return submit(services, command, ({ answer }) => parkedView(services.state, answer.id, services.now()));
    },
  });
}
