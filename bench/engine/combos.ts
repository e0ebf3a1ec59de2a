/**
 * Question: what does a combo of four legs cost, beside four ioc orders of the same legs in one batch of the same run, and
 * what if all legs meet one quote per leg or work their way through several levels (CMB-1)?
 */

import assert from 'node:assert/strict';
import type { BatchAction, ComboLeg } from '@venue/protocol';
import { brokenInvariants } from '../../packages/engine/src/index.ts';
import { run as measureCut } from './cut-quotes.ts';
import { collectGarbage } from './garbage.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';
import { run as measureWide } from './wide-account.ts';
import { run as measureWorst } from './worst-books.ts';

export interface ComboOptions {
  readonly entries: number;
  /** Other series in which the trader holds a position. */
  readonly positions: number;
}

const OPTIONS: ComboOptions = { entries: 20_000, positions: 16 };
const LEGS = 4;
const RUNS = 7;

export async function run(): Promise<void> {
  console.table(compare(OPTIONS));
  measureWorst();
  measureWide();
  measureCut();
}

type Kind = 'four ioc orders' | 'a combo of four legs';
const KINDS = ['four ioc orders', 'a combo of four legs'] as const;

/** Medians over several runs, the two kinds by turns; both must leave the trader with the same cash. */
export function compare(options: ComboOptions) {
  return [1, 3].map((levels) => {
    const times: Record<Kind, number[]> = { 'four ioc orders': [], 'a combo of four legs': [] };
    const cash = new Set<number>();
    for (let i = 0; i < RUNS + 1; i++) {
      for (const kind of i % 2 === 0 ? KINDS : KINDS.toReversed()) {
        const { micros, left } = timed(options, levels, kind);
        // The first warms up.
        if (i > 0) times[kind].push(micros);
        cash.add(left);
      }
    }
    assert.equal(cash.size, 1, 'both kinds traded the same');
    const median = (kind: Kind) => times[kind].sort((a, b) => a - b)[RUNS >> 1]!;
    return {
      'levels a leg': levels,
      'four ioc orders, µs': Number(median('four ioc orders').toFixed(1)),
      'combo, µs': Number(median('a combo of four legs').toFixed(1)),
      ratio: Number((median('a combo of four legs') / median('four ioc orders')).toFixed(2)),
    };
  });
}

/** The trader opens the spread in one entry and closes it in the next; the maker fills up what was taken, untimed. */
function timed(
  { entries, positions }: ComboOptions,
  levels: number,
  kind: Kind,
): { readonly micros: number; readonly left: number } {
  const venue = new Venue([START_MS / 1_000 + DAY_S], { paperCashMicros: (1e6 * MICROS) as never });
  const { series } = venue.state;
  venue.quote(series, { bid: 3, ask: 3.2, bidQty: 1e6, askQty: 1e6 });
  const account = venue.open(0);
  venue.apply({ kind: 'margin', account, enabled: true });
  const legs = series.slice(0, LEGS);
  for (const { seriesId } of series.slice(LEGS, LEGS + positions))
    venue.apply({ kind: 'order', account, seriesId, side: 'sell', qtyMicros: MICROS, priceMicros: null });
  let total = 0;
  collectGarbage();
  for (let i = 0; i < entries; i++) {
    refill(venue, legs, levels);
    const actions = actionsOf(
      legs.map(({ seriesId }) => seriesId),
      { levels, isOpening: i % 2 === 0, kind },
    );
    const before = performance.now();
    const outcome = venue.apply({ kind: 'batch', account, actions });
    total += performance.now() - before;
    assert.ok('results' in outcome);
    for (const result of outcome.results) assert.ok('status' in result && result.status === 'filled');
  }
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  return { micros: (total / entries) * 1_000, left: venue.state.accountByAddress.get(account)!.cashMicros };
}

function refill(venue: Venue, legs: Venue['state']['series'], levels: number): void {
  const side = (price: number, step: number) =>
    Array.from({ length: levels }, (_, i): [number, number] => [price + i * step, MICROS]);
  const rows = legs.map(({ sid }) => ({
    sid,
    bids: side(3 * MICROS, -10_000),
    asks: side(3.2 * MICROS, 10_000),
  }));
  venue.apply({ kind: 'quotes', session: null, rows });
}

interface Wanted {
  readonly levels: number;
  readonly isOpening: boolean;
  readonly kind: Kind;
}

function actionsOf(ids: readonly string[], { levels, isOpening, kind }: Wanted): BatchAction[] {
  const legs = ids.map(
    (seriesId, i): ComboLeg => ({ seriesId, side: (i % 2 === 0) === isOpening ? 'buy' : 'sell', ratio: 1 }),
  );
  const qtyMicros = levels * MICROS;
  if (kind === 'a combo of four legs')
    return [{ type: 'combo', legs, qtyMicros, netMicros: MICROS, tif: 'ioc' }];
  return legs.map(({ seriesId, side }) => ({
    ...{ type: 'place', seriesId, side, qtyMicros, priceMicros: null, tif: 'ioc', stp: 'taker' },
  }));
}
