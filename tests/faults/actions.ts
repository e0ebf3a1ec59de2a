/** Actions of random batches: all types, flags and times in force, on orders that earlier ones may have placed. */

import { type ActionWire, GUARD_MS_MIN } from '@venue/protocol';
import { pick, weighted } from './chance.ts';

/** Most batches are short, as most programs change a few orders at a time; some are as long as they may be. */
const LENGTHS = [1, 1, 2, 3, 5, 8, 16, 32, 64];
/** Client ids that later actions may name; orders from before have mostly left. */
const REMEMBERED = 48;
/** The longest life of a timed order: many end while the venue is down. */
const LIFE_MS_MAX = 4_000;
/** Guards below this fire during a run, now and then while the venue is down. */
export const GUARD_MS_MAX = 8_000;
/** The price around which orders are placed, and their distance from it. */
const PRICE_CENTS = 500;
const SPREAD_CENTS = 20;

export class RandomActions {
  readonly #series: readonly string[];
  readonly #clientIds: string[] = [];
  #serial = 0;
  /** False while the venue takes no quote sets. */
  takesSets = false;

  constructor(series: readonly string[]) {
    this.#series = series;
  }

  /** Terms of an order near the others'. */
  terms() {
    const price = (PRICE_CENTS + Math.round((Math.random() * 2 - 1) * SPREAD_CENTS)) / 100;
    const qty = (1 + Math.floor(Math.random() * 100)) / 1_000;
    const side = Math.random() < 0.5 ? ('buy' as const) : ('sell' as const);
    return { seriesId: pick(this.#series), side, qty, price };
  }

  /** A few rows of a push to the set, which others' orders may stand in the way of. */
  quotes(): object[] {
    return Array.from({ length: pick([1, 1, 2, 4]) }, () => {
      const { seriesId, qty, price } = this.terms();
      const bid = Math.round(price * 100 - 10) / 100;
      const ask = Math.round(price * 100 + 10) / 100;
      return { seriesId, bids: [[bid, qty]], asks: pick([[[ask, qty]], [], null]), delta: 0.5 };
    });
  }

  /** A protection of the set that some fills use up, now and then none. */
  protection(qty = pick([0.02, 0.1, 1, 1, 1, 0])): ActionWire {
    const [symbol] = pick(this.#series).split('-') as [string];
    return { type: 'protect', set: 1, symbol, windowMs: 500, qty, frozenMs: pick([0, 300]) };
  }

  /** 1 to 64 actions. */
  batch(): ActionWire[] {
    return Array.from({ length: pick(LENGTHS) }, () => this.#action());
  }

  #action(): ActionWire {
    return weighted<() => ActionWire>([
      [12, () => this.#place()],
      [3, () => this.#amend()],
      [3, () => ({ type: 'cancel', clientId: this.#known() })],
      [0.3, () => ({ type: 'cancel-all', ...(Math.random() < 0.5 && { side: 'buy' }) })],
      [0.4, () => ({ type: 'guard', ms: guardMs() })],
      [this.takesSets ? 0.6 : 0, () => this.protection()],
      [this.takesSets ? 0.3 : 0, () => ({ type: 'unfreeze', set: 1 })],
    ])();
  }

  #place(): ActionWire {
    const terms = { type: 'place', ...this.terms(), clientId: this.#newId() } as const;
    const { price, ...market } = terms;
    return weighted<() => ActionWire>([
      [6, () => terms],
      [3, () => ({ ...terms, tif: 'gtd', expiresAt: Date.now() + Math.ceil(Math.random() * LIFE_MS_MAX) })],
      [2, () => ({ ...terms, postOnly: true })],
      [1, () => ({ ...terms, tif: 'ioc', stp: pick(['taker', 'maker', 'both', 'none'] as const) })],
      [1, () => ({ ...terms, tif: 'fok' })],
      [1, () => ({ ...market, reduceOnly: true })],
      // A repetition of an id that is known, which places nothing.
      [1, () => ({ ...terms, clientId: this.#known() })],
    ])();
  }

  #amend(): ActionWire {
    const { qty, price } = this.terms();
    const changes = pick([{ qty }, { price }, { qty, price }, { qty, filledAtMost: qty / 2 }]);
    return { type: 'amend', clientId: this.#known(), ...changes };
  }

  #newId(): string {
    this.#serial += 1;
    const id = `order-${this.#serial}`;
    this.#clientIds.push(id);
    if (this.#clientIds.length > REMEMBERED) this.#clientIds.shift();
    return id;
  }

  #known(): string {
    return this.#clientIds.length === 0 ? 'order-0' : pick(this.#clientIds);
  }
}

function guardMs(): number {
  if (Math.random() < 0.2) return 0;
  return GUARD_MS_MIN + Math.floor(Math.random() * (GUARD_MS_MAX - GUARD_MS_MIN));
}
