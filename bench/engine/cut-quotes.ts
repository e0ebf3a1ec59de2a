/**
 * Question: what does a batch of orders cost where strangers' quote sets have filled a series with quotes that their
 * allowances have cut, beside the same batch in a series without them, with marks by the model (RSK-2, BAT-7)?
 */

import assert from 'node:assert/strict';
import type { Address, BatchAction } from '@venue/protocol';
import { brokenInvariants, previewOrder } from '../../packages/engine/src/index.ts';
import { collectGarbage } from './garbage.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

export interface CutOptions {
  readonly wallets: number;
  readonly rounds: number;
}

const OPTIONS: CutOptions = { wallets: 60, rounds: 40 };
const SETS_EACH = 16;
const LEVELS = 64;
const ACTIONS = 64;
const IMPACT = 1_000 * MICROS;
const PRICE = 20 * MICROS;
/** A thousandth of the impact size at the price: the least that counts. */
const LEAST = IMPACT / 1_000 / (PRICE / MICROS);
const CASH_MICROS = 1e6 * MICROS;

/** Bound of a batch of dust, in batches beside no quotes. */
const MOST_OF_DUST = 3;
/** Bounds in orders that rest and are cancelled: 20 and 5 ms where one takes 1 µs. */
const MOST_OF_BATCH = 20_000;
const MOST_OF_PREVIEW = 5_000;
const PLAIN_ORDERS = 500;

export function run(): void {
  const row = measureCut(OPTIONS);
  console.table([row]);
  assert.ok(row['times as much'] <= MOST_OF_DUST, `dust costs ${row['times as much']} times as much`);
  const orders = (ms: number) => Math.round((1_000 * ms) / row['plain order µs']);
  const [batch, preview] = [orders(row['64 that count ms']), orders(row['preview ms'])];
  assert.ok(batch <= MOST_OF_BATCH, `a batch costs ${batch} plain orders`);
  assert.ok(preview <= MOST_OF_PREVIEW, `a preview costs ${preview} plain orders`);
}

/** Means of processor time; what is placed is cancelled again, which is measured with it. */
export function measureCut({ wallets, rounds }: CutOptions) {
  const venue = new Venue([START_MS / 1_000 + DAY_S], {
    ...{ riskMark: 'model', impactMicros: IMPACT as never, paperCashMicros: CASH_MICROS as never },
  });
  const { state } = venue;
  const [crowded, empty] = state.series;
  const iv = state.series.map(({ sid }) => ({ sid, bids: null, asks: null, iv: 0.4 }));
  venue.apply({ kind: 'quotes', session: null, rows: iv });
  for (let wallet = 0; wallet < wallets; wallet++) quote(venue, venue.open(wallet + 1), crowded!.sid);
  assert.equal(state.orders.count, wallets * SETS_EACH * LEVELS);
  const account = venue.open(wallets + 1);
  collectGarbage();
  const batch = (seriesId: string, qtyMicros: number, priceMicros: number) => {
    const bid = { type: 'place', seriesId, side: 'buy', tif: 'gtc', stp: 'taker', qtyMicros } as const;
    const actions = Array.from(
      { length: ACTIONS },
      (_, i): BatchAction => ({ ...bid, priceMicros: priceMicros + i }),
    );
    venue.apply({ kind: 'batch', account, actions });
    venue.apply({ kind: 'cancel', account, symbols: null });
  };
  const trader = state.accountByAddress.get(account)!;
  const order = { seriesId: crowded!.seriesId, side: 'buy', qtyMicros: 1, priceMicros: 1 } as const;
  const acts = {
    dust: () => batch(crowded!.seriesId, 1, 2 * PRICE),
    alone: () => batch(empty!.seriesId, 1, 2 * PRICE),
    plain: () => {
      for (let n = 0; n < PLAIN_ORDERS; n++) {
        const { lastOrderId } = state;
        const bid = { seriesId: empty!.seriesId, side: 'buy', qtyMicros: MICROS, priceMicros: 1 } as const;
        venue.apply({ kind: 'order', account, ...bid });
        venue.apply({ kind: 'cancel-order', account, orderId: lastOrderId + 1 });
      }
    },
    counting: () => batch(crowded!.seriesId, MICROS, 2 * PRICE),
    preview: () => assert.equal(previewOrder(state, trader, order, state.ts).outcome.status, 'rested'),
  };
  const ms = { dust: 0, alone: 0, plain: 0, counting: 0, preview: 0 };
  for (let i = 0; i < 2 * rounds; i++)
    for (const what of Object.keys(acts) as (keyof typeof acts)[]) {
      const spent = measure(acts[what]);
      // The first half warms up.
      if (i >= rounds) ms[what] += spent / rounds;
    }
  assert.deepEqual([...brokenInvariants(state)], []);
  return {
    'quotes that are cut': wallets * SETS_EACH * (LEVELS - 1),
    '64 of dust ms': round(ms.dust),
    'alone ms': round(ms.alone),
    'times as much': round(ms.dust / ms.alone),
    '64 that count ms': round(ms.counting),
    'preview ms': round(ms.preview),
    'plain order µs': round((1_000 * ms.plain) / PLAIN_ORDERS),
  };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function measure(act: () => void): number {
  const start = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/** Sets of which a single quote may trade. */
function quote(venue: Venue, account: Address, sid: number): void {
  const limits = { windowMs: 1_000, qtyMicros: LEAST, frozenMs: 0 };
  const bids = Array.from({ length: LEVELS }, (_, i) => [PRICE - i, LEAST] as const);
  for (let set = 1; set <= SETS_EACH; set++) {
    const protect: BatchAction = { type: 'protect', set, symbol: 'AAPL', ...limits };
    venue.apply({ kind: 'batch', account, actions: [protect] });
    const push = { kind: 'quote-set', account, set, form: 'json', bodyHash: '0'.repeat(64) } as const;
    const outcome = venue.apply({ ...push, rows: [{ sid, bids, asks: null }] });
    assert.ok('applied' in outcome && outcome.applied === 1, JSON.stringify(outcome));
  }
}
