/** The routes on which watcher, batcher and operators report what happened on chain (DEP-1, DEP-2, PAY-3). */

import { microsToDecimal, toMicros } from '@venue/protocol';
import {
  DepositAnswerSchema,
  DepositRequestSchema,
  HeldListSchema,
  HeldReleaseAnswerSchema,
  HeldReleaseRequestSchema,
  PayoutCommitAnswerSchema,
  PayoutCommitRequestSchema,
  PayoutListSchema,
  PayoutQuerySchema,
} from '@venue/protocol/wire';
import { accountView } from '../../views/account.ts';
import { heldView, payoutsView, payoutView } from '../../views/custody.ts';
import { submitByHand } from '../by-hand.ts';
import { KIB, type Route, route } from '../route.ts';
import { type Services, submit } from '../services.ts';
import { addressField } from '../session-keys.ts';
import { exactInteger, lowerHex } from '../texts.ts';

/** Options shared by all routes of this file; some are for a daemon instead (CUS-9). */
const MONEY_ROUTE = {
  access: 'operator',
  modes: ['deposits'],
  bodyLimitBytes: 4 * KIB,
  contract: { excluded: 'called by operators and their daemons alone, with a secret of theirs' },
} as const;

export function operatorCustodyRoutes(services: Services): Route[] {
  return [deposit(services), held(services), release(services), payouts(services), commit(services)];
}

function deposit(services: Services): Route {
  return route({
    ...MONEY_ROUTE,
    access: 'deposit',
    method: 'POST',
    path: '/v1/deposit',
    body: DepositRequestSchema,
    answer: DepositAnswerSchema,
    handle: ({ body }) => {
      const address = addressField('address', body.address);
      const amount = exactInteger('amount', body.amount);
      const txHash = lowerHex(body.txHash);
      const logIndex = exactInteger('logIndex', body.logIndex + 0);
      const command = {
        kind: 'deposit',
        address,
        amountMicros: toMicros(amount),
        txHash,
        logIndex,
        blockNumber: exactInteger('blockNumber', body.blockNumber + 0),
        blockHash: lowerHex(body.blockHash),
        ...(body.chainId !== undefined && { chainId: exactInteger('chainId', body.chainId) }),
        ...(body.vault !== undefined && { vault: addressField('vault', body.vault) }),
      } as const;
      return submit(services, command, ({ status }) => ({ status, address, amount, txHash, logIndex }));
    },
  });
}

function held({ state }: Services): Route {
  return route({
    ...MONEY_ROUTE,
    method: 'GET',
    path: '/v1/operator/held',
    role: 'read',
    answer: HeldListSchema,
    handle: () => ({ held: heldView(state) }),
  });
}

function release(services: Services): Route {
  return route({
    ...MONEY_ROUTE,
    method: 'POST',
    path: '/v1/operator/held/release',
    role: 'custody',
    body: HeldReleaseRequestSchema,
    answer: HeldReleaseAnswerSchema,
    handle: ({ headers, body }) => {
      const address = addressField('address', body.address);
      return submitByHand(services, headers, { kind: 'release', address }, ({ account, releasedMicros }) => ({
        ok: true,
        released: microsToDecimal(releasedMicros),
        account: accountView(services.state, account),
      }));
    },
  });
}

function payouts({ state }: Services): Route {
  return route({
    ...MONEY_ROUTE,
    access: 'payout-or-operator',
    method: 'GET',
    path: '/v1/operator/payouts',
    role: 'read',
    query: PayoutQuerySchema,
    answer: PayoutListSchema,
    handle: ({ query }) => ({
      payouts: payoutsView(state, { after: Number(query.after ?? 0), state: query.state }),
    }),
  });
}

function commit(services: Services): Route {
  return route({
    ...MONEY_ROUTE,
    access: 'payout',
    method: 'POST',
    path: '/v1/operator/payouts/commit',
    body: PayoutCommitRequestSchema,
    answer: PayoutCommitAnswerSchema,
    handle: ({ body }) => {
      const ids = [...new Set(body.ids.map((id) => exactInteger('ids', id)))];
      const command = { kind: 'commit', ids, txHash: lowerHex(body.txHash) } as const;
      return submit(services, command, (outcome) => ({ ok: true, payouts: outcome.payouts.map(payoutView) }));
    },
  });
}
