/** Watches, during a replay, that each deadline is carried out first by the first entry at or after it (DUE-1). */

import {
  type Account,
  type Command,
  type Effects,
  isRefused,
  NO_EFFECTS,
  type OutcomeOf,
} from '@venue/engine';

/** How long after a deadline its entry may come while a node ticks every two seconds. */
const LATE_MS = 5_000;

export class DueWatch {
  readonly faults: string[] = [];
  /** Carried out while they were due, and so much later that no node can have been writing. */
  readonly times = { gtd: 0, guard: 0, late: 0 };
  readonly effects: Effects;
  /** Owners of the open orders, by order id. */
  readonly #open = new Map<number, Account>();
  readonly #expiries = new Map<number, number>();
  readonly #guards = new Map<Account, number>();
  /** Open orders that this entry must close before anything else, with the deadline of each. */
  #due = new Map<number, number>();

  constructor() {
    this.effects = {
      ...NO_EFFECTS,
      orderOpened: ({ id, account, terms }) => {
        this.#expectNothingDue(`order ${id} was opened`);
        this.#open.set(id, account);
        if (terms.expiresAt !== undefined) this.#expiries.set(id, terms.expiresAt);
      },
      filled: (_account, fill) => {
        if (fill.kind === 'trade') this.#expectNothingDue(`order ${fill.orderId} was filled`);
      },
      orderClosed: (_account, id, cause) => {
        if (cause === 'gtd' || cause === 'guard') this.#carriedOut(id, cause);
        else this.#expectNothingDue(`order ${id} was closed, ${cause},`);
        this.#open.delete(id);
        this.#expiries.delete(id);
      },
    };
  }

  /** Before an entry with this time. */
  begin(ts: number): void {
    this.#due = new Map([...this.#expiries].filter(([, atMs]) => atMs <= ts));
    for (const [guarded, atMs] of this.#guards) {
      if (atMs > ts) continue;
      this.#guards.delete(guarded);
      for (const [id, account] of this.#open)
        if (account === guarded && !this.#due.has(id)) this.#due.set(id, atMs);
    }
    const deadlines = [...this.#due.values()];
    if (deadlines.some((atMs) => ts - atMs > LATE_MS)) this.times.late += 1;
  }

  /** After the entry. */
  end(command: Command, outcome: OutcomeOf<Command['kind']>, ts: number): void {
    this.#expectNothingDue(`entry with time ${ts} ended`);
    if (command.kind !== 'batch' || isRefused(outcome)) return;
    const { account } = outcome as OutcomeOf<'batch'> & { account: Account };
    for (const action of command.actions)
      if (action.type === 'guard' && action.ms > 0) this.#guards.set(account, ts + action.ms);
      else if (action.type === 'guard') this.#guards.delete(account);
  }

  #carriedOut(id: number, cause: 'gtd' | 'guard'): void {
    this.times[cause] += 1;
    if (!this.#due.delete(id)) this.faults.push(`order ${id} left by a ${cause} that was not due`);
  }

  #expectNothingDue(what: string): void {
    for (const [id, atMs] of this.#due)
      this.faults.push(`${what} before order ${id} had left, whose deadline was ${atMs}`);
    this.#due.clear();
  }
}
