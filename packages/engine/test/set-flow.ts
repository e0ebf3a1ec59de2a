/** A seeded flow around quote sets: ladders that are larger than their allowances, and orders, batches and combos that fill them. */

import type { BatchAction, ComboAction, MicrosLevel, MicrosQuote, PlaceAction } from '@venue/protocol';
import type { Random } from '../sim/random.ts';
import type { OrderCommand } from '../src/entry/command.ts';
import type { Account } from '../src/state/account.ts';
import type { Side } from '../src/state/series.ts';
import { micros, Venue } from './venue.ts';

export const FLOW_SERIES = ['AAPL-C-190', 'AAPL-C-200', 'AAPL-P-200', 'AAPL-C-210'];
/** Near the model with the spot at 200, in micros. */
const NEAR: ReadonlyMap<string, number> = new Map([
  ['AAPL-C-190', 11_000_000],
  ['AAPL-C-200', 4_000_000],
  ['AAPL-P-200', 4_000_000],
  ['AAPL-C-210', 1_000_000],
]);
const TICK = 50_000;
const TRADERS = ['eve', 'frank', 'grace', 'heidi'];
const SETS = [1, 2, 3];
const SIDES: readonly Side[] = ['buy', 'sell'];
/** Around an allowance: two or three of them use it up, and some of what is left is dust. */
const USUAL_LEVELS = [100_000, 500_000, 500_000, 1_000_000, 1_000_000];
const UNUSUAL_LEVELS = [1, 900, 1_000, 20_000, 300_000, 3_000_000];
const ALLOWANCES = [1_000, 500_000, 1_000_000, 1_000_000, 1_500_000, 1_500_000, 2_000_000, 20_000_000];
const DELTA_ALLOWANCES = [1_000, 50_000, 500_000, 1_000_000, 3_000_000];
const DELTAS = [0, 0.000_000_1, 0.01, 0.2, 0.5, -0.5, 1, 2.5];
const ORDERS = [1, 5_000, 100_000, 100_000, 500_000, 500_000, 1_000_000, 2_500_000];

export type FlowOrder = Pick<OrderCommand, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros'>;

export class SetFlow {
  readonly venue: Venue;
  readonly #random: Random;

  /** A venue whose maker has annotated most series, and whose traders have their sets. */
  constructor(random: Random) {
    this.#random = random;
    this.venue = Venue.listed({
      riskMark: 'model',
      strikesPerSide: 4,
      impactMicros: micros(random.pick(['1', '5', '50'])),
      paperCashMicros: micros('10000000'),
    });
    const rows = FLOW_SERIES.filter(() => random.chance(0.9)).map((name) => ({
      ...{ sid: this.venue.series(name).sid, iv: 0.4 },
      ...{ bids: null, asks: null },
    }));
    this.venue.apply({ kind: 'quotes', session: null, rows });
    for (const name of TRADERS) {
      const account = this.venue.account(name).address!;
      this.venue.apply({ kind: 'margin', account, enabled: true });
      this.venue.apply({ kind: 'batch', account, actions: SETS.map((set) => this.#protect(set)) });
    }
  }

  trader(): Account {
    return this.venue.account(this.#random.pick(TRADERS));
  }

  /** Applies an entry, or two where time passes. */
  act(): void {
    const { venue } = this;
    const account = this.trader().address!;
    this.#random.weighted<() => unknown>([
      [40, () => this.#push()],
      [10, () => venue.apply({ kind: 'batch', account, actions: this.#several(4, () => this.#setAction()) })],
      [18, () => venue.apply({ kind: 'order', account, ...this.order() })],
      [15, () => venue.apply({ kind: 'batch', account, actions: this.#several(6, () => this.#action()) })],
      [7, () => venue.apply({ kind: 'batch', account, actions: [this.combo()] })],
      [3, () => venue.apply({ kind: 'cancel', account, symbols: null })],
      [3, () => this.#pass()],
      [4, () => venue.maintain([])],
    ])();
  }

  order(): FlowOrder {
    const random = this.#random;
    const name = random.pick(FLOW_SERIES);
    const near = NEAR.get(name)! + random.between(-10, 10) * TICK;
    return {
      seriesId: this.venue.series(name).seriesId,
      side: random.pick(SIDES),
      priceMicros: random.chance(0.25) ? null : near,
      qtyMicros: random.pick([...ORDERS, random.between(1, 5_000_000)]),
    };
  }

  placing(): PlaceAction {
    const order = this.order();
    const tif = order.priceMicros === null ? 'ioc' : this.#random.pick(['gtc', 'ioc', 'fok'] as const);
    return { type: 'place', ...order, tif, stp: this.#random.pick(['taker', 'maker', 'both'] as const) };
  }

  combo(): ComboAction {
    const random = this.#random;
    const left = [...FLOW_SERIES];
    const legs = Array.from({ length: random.between(2, 3) }, () => {
      const [name] = left.splice(random.between(0, left.length - 1), 1);
      const { seriesId } = this.venue.series(name!);
      return { seriesId, side: random.pick(SIDES), ratio: random.pick([1, 1, 2]) };
    });
    return {
      ...{ type: 'combo', legs },
      qtyMicros: random.pick([1_000, 100_000, 500_000, 1_200_000]),
      netMicros: random.chance(0.6) ? null : random.between(-4, 8) * 1_000_000,
      tif: random.pick(['ioc', 'fok'] as const),
    };
  }

  #several(most: number, draw: () => BatchAction): BatchAction[] {
    return Array.from({ length: this.#random.between(1, most) }, draw);
  }

  #action(): BatchAction {
    return this.#random.weighted<() => BatchAction>([
      [60, () => this.placing()],
      [20, () => this.combo()],
      [15, () => this.#setAction()],
      [5, () => this.#cancelAll()],
    ])();
  }

  #setAction(): BatchAction {
    const set = this.#random.pick(SETS);
    return this.#random.chance(0.6) ? this.#protect(set) : { type: 'unfreeze', set };
  }

  #protect(set: number): BatchAction {
    const random = this.#random;
    return {
      ...{ type: 'protect', set, symbol: 'AAPL' },
      windowMs: random.pick([100, 1_000]),
      qtyMicros: random.chance(0.1) ? 0 : random.pick(ALLOWANCES),
      ...(random.chance(0.5) && { deltaMicros: random.pick(DELTA_ALLOWANCES) }),
      frozenMs: random.pick([0, 100]),
    };
  }

  #cancelAll(): BatchAction {
    const random = this.#random;
    const { seriesId } = this.venue.series(random.pick(FLOW_SERIES));
    return {
      type: 'cancel-all',
      scope: random.chance(0.3) ? 'all' : { series: [seriesId] },
      ...(random.chance(0.5) && { side: random.pick(SIDES) }),
    };
  }

  #push(): void {
    const random = this.#random;
    const account = this.trader().address!;
    const rows = FLOW_SERIES.filter(() => random.chance(0.55)).map((name) => this.#row(name));
    if (rows.length === 0) return;
    const pushed = { form: 'json', bodyHash: '0'.repeat(64), rows } as const;
    this.venue.apply({ kind: 'quote-set', account, set: random.pick(SETS), ...pushed });
  }

  #row(name: string): MicrosQuote {
    const random = this.#random;
    return {
      sid: this.venue.series(name).sid,
      bids: this.#ladder(NEAR.get(name)!, -1),
      asks: this.#ladder(NEAR.get(name)!, 1),
      ...(random.chance(0.6) && { iv: 0.5 }),
      ...(random.chance(0.6) && { delta: random.pick(DELTAS) }),
    };
  }

  /** Levels from near the model on: away from it, or through it, where they move the mark. */
  #ladder(near: number, away: 1 | -1): MicrosLevel[] | null {
    const random = this.#random;
    if (random.chance(0.3)) return random.chance(0.4) ? [] : null;
    const start = near + away * random.between(-8, 12) * TICK;
    const step = random.pick([1, 10_000, TICK]);
    const levels = random.between(1, random.pick([3, 8, 20]));
    const prices = Array.from({ length: levels }, (_, i) => start + away * i * step);
    return prices.filter((price) => price > 0).map((price) => [price, this.#levelQty()]);
  }

  #levelQty(): number {
    const random = this.#random;
    if (random.chance(0.85)) return random.pick(USUAL_LEVELS);
    return random.pick([...UNUSUAL_LEVELS, random.between(1, 2_000_000)]);
  }

  #pass(): void {
    this.venue.wait(this.#random.pick([50, 200, 1_000, 61_000]));
    this.venue.print('AAPL', 'feed', String(this.#random.between(196, 204)));
  }
}
