/** An account's cancels of its own resting orders. */

import type { CancelCommand, CancelOrderCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { Outcomes } from '../entry/outcome.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { makePushesStale, pullWhere } from './pulls.ts';
import { pullResting } from './resting.ts';

/** Cancels every resting order of the account in the given symbols, or in all. */
export function cancelAll(
  state: State,
  effects: Effects,
  account: Account,
  command: CancelCommand,
): Outcomes['cancel'] {
  const symbols = command.symbols === null ? null : new Set(command.symbols);
  makePushesStale(state, account, {
    nonce: command.authorization?.nonce ?? null,
    symbols: command.symbols,
  });
  const pulled = pullWhere(state, effects, {
    account,
    cause: 'user',
    includes: ({ instrument }) => symbols === null || symbols.has(instrument.symbol),
  });
  return { account, pulled };
}

/** Cancels one resting order. An order that is gone or belongs to another account is not an error (ORD-12). */
export function cancelOrder(
  state: State,
  effects: Effects,
  account: Account,
  { orderId }: CancelOrderCommand,
): Outcomes['cancel-order'] {
  const h = state.orders.find(orderId);
  const ok = h !== null && state.orders.owner(h) === account.index;
  if (ok) pullResting(state, effects, h, 'user');
  return { account, orderId, ok };
}
