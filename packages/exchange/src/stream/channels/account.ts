/** An account without its open orders, which have a channel of their own. */

import type { Account, State } from '@venue/engine';
import type { Position, Account as WireAccount } from '@venue/protocol';
import { guardedAccountView } from '../../views/account.ts';
import { type Change, type Content, jsonMembers, NO_CHANGES, valueChange } from './content.ts';

/** Marks move all the time, so what only they change is sent this often at most. */
const REMARK_MS = 1_000;

type Shown = Omit<WireAccount, 'openOrders'>;

export interface AccountContentOptions {
  readonly state: State;
  readonly account: Account;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

export class AccountContent implements Content {
  readonly #options: AccountContentOptions;
  #shown: Shown;
  #seq: number;
  #remarkAtMs: number;
  #isTouched = false;

  constructor(options: AccountContentOptions) {
    this.#options = options;
    this.#shown = shownOf(options);
    this.#seq = options.state.seq;
    this.#remarkAtMs = options.elapsedMs() + REMARK_MS;
  }

  /** Its cash, positions or orders changed. */
  touch(): void {
    this.#isTouched = true;
  }

  snapshot(): string {
    return jsonMembers(this.#shown);
  }

  changes(): readonly Change[] {
    const { state, elapsedMs } = this.#options;
    if (state.seq === this.#seq) return NO_CHANGES;
    const nowMs = elapsedMs();
    if (!this.#isTouched && nowMs < this.#remarkAtMs) return NO_CHANGES;
    this.#isTouched = false;
    this.#seq = state.seq;
    this.#remarkAtMs = nowMs + REMARK_MS;
    const before = this.#shown;
    this.#shown = shownOf(this.#options);
    return changesOf(before, this.#shown);
  }
}

function shownOf({ state, account }: AccountContentOptions): Shown {
  const { openOrders: _, ...shown } = guardedAccountView(state, account, []);
  return shown;
}

function changesOf({ positions: before, ...old }: Shown, { positions: after, ...now }: Shown): Change[] {
  const known: Readonly<Record<string, unknown>> = old;
  const values = Object.entries(now).filter(([name, value]) => !Object.is(known[name], value));
  const isLost = 'held' in old && !('held' in now);
  return [
    ...values.map(([name, value]) => valueChange(name, value)),
    ...(isLost ? [valueChange('held', null)] : []),
    ...positionChanges(before, after),
  ];
}

function positionChanges(before: readonly Position[], after: readonly Position[]): Change[] {
  const known = new Map(before.map((row) => [row.seriesId, JSON.stringify(row)]));
  const changes: Change[] = [];
  for (const row of after) {
    const json = JSON.stringify(row);
    if (known.get(row.seriesId) !== json) changes.push({ member: 'positions', key: row.seriesId, json });
    known.delete(row.seriesId);
  }
  for (const seriesId of known.keys())
    changes.push({ member: 'positions', key: seriesId, json: JSON.stringify({ seriesId, qty: 0 }) });
  return changes;
}
