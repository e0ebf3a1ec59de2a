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
    contract: { summary: 'Approve a session key with a contract wallet' },
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
    contract: { summary: 'Revoke a session key with a contract wallet' },
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
    contract: { summary: 'What became of an approval by a contract wallet' },
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
