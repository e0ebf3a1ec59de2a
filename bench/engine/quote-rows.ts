/**
 * Question: how many rows of a market maker's pushes does the engine apply a second on one core, with every check, when
 * each row changes everything its series has, and how many when it first has to decode them from log bytes?
 *
 * A whole symbol of 1,312 rows is pushed at once, repeatedly, at moving prices. Besides a maker alone it is measured
 * with a trader's orders behind every quote, and with a position of the maker in every series.
 */

import assert from 'node:assert/strict';
import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import {
  apply,
  brokenInvariants,
  type Command,
  decodeCommand,
  encodeCommand,
  NO_EFFECTS,
  type Series,
  stateDigest,
} from '../../packages/engine/src/index.ts';
import { DAY_S, MICROS, START_MS, Venue } from './venue.ts';

/** 16 expiries of 41 strikes, calls and puts: 1,312 series. */
const EXPIRIES = Array.from({ length: 16 }, (_, i) => START_MS / 1_000 + (i + 1) * DAY_S);
const PUSHES = 400;
const RUNS = 5;
/** Different pushes with no price in common. */
const VARIANTS = 2;
/** Price step between two variants, in micros. */
const STEP = 10_000;
/** Price step between two levels. */
const GAP = 250_000;
const MID = 20_000_000;

interface Case {
  readonly levels: number;
  readonly beside: 'nobody' | 'orders' | 'orders and positions';
}

const CASES: readonly Case[] = [
  { levels: 1, beside: 'nobody' },
  { levels: 3, beside: 'nobody' },
  { levels: 3, beside: 'orders' },
  { levels: 3, beside: 'orders and positions' },
];

/** Prints rows a second; every run of a case must end in the same state, without a broken invariant. */
export async function run(): Promise<void> {
  console.table(CASES.map(measure));
}

function measure(one: Case) {
  const { state } = openVenue(one);
  const pushes = Array.from({ length: VARIANTS }, (_, k) => pushOf(state.series, one.levels, k));
  const bodies = pushes.map(encodeCommand);
  const digests = new Set<string>();
  const times = (read: (k: number) => Command) => {
    const all = Array.from({ length: RUNS + 1 }, () => timed(one, read, digests));
    // The first warms up.
    return all.slice(1).sort((a, b) => a - b);
  };
  const rates = (sorted: readonly number[]) => sorted.map((ms) => rowsPerSecond(ms, state.series.length));
  const applied = rates(times((k) => pushes[k]!));
  const replayed = rates(times((k) => decodeCommand('quotes', bodies[k]!)));
  assert.equal(digests.size, 1);
  return {
    'levels a side': one.levels,
    'beside the maker': one.beside,
    'median rows/s': applied[RUNS >> 1]!,
    'slowest run': applied.at(-1)!,
    'µs a row': Number((1e6 / applied[RUNS >> 1]!).toFixed(2)),
    'from bytes, rows/s': replayed[RUNS >> 1]!,
  };
}

function rowsPerSecond(ms: number, series: number): number {
  return Math.round((PUSHES * series * 1_000) / ms);
}

/** How long the pushes take on a fresh venue; every row must change its series. */
function timed(one: Case, read: (k: number) => Command, digests: Set<string>): number {
  const { state } = openVenue(one);
  const { length } = state.series;
  const start = performance.now();
  for (let i = 0; i < PUSHES; i++) {
    const entry = { seq: state.seq + 1, ts: START_MS, command: read(i % VARIANTS) };
    const outcome = apply(state, entry, NO_EFFECTS);
    assert.ok('applied' in outcome && outcome.applied === length);
  }
  const ms = performance.now() - start;
  assert.deepEqual([...brokenInvariants(state)], []);
  digests.add(stateDigest(state));
  return ms;
}

/** With other participants, one trader rests on both sides of every quote, after having bought from the maker. */
function openVenue({ beside }: Case): Venue {
  const venue = new Venue(EXPIRIES, { paperCashMicros: (1e7 * MICROS) as never });
  if (beside === 'nobody') return venue;
  const { series } = venue.state;
  venue.apply(pushOf(series, 1, VARIANTS));
  const account = venue.open(0);
  venue.apply({ kind: 'margin', account, enabled: true });
  for (const { seriesId } of series) {
    if (beside !== 'orders') venue.trade(account, { seriesId, side: 'buy', qtyMicros: MICROS / 100 });
    for (const side of ['buy', 'sell'] as const) {
      const priceMicros = side === 'buy' ? MID / 10 : MID * 4;
      venue.apply({ kind: 'order', account, seriesId, side, qtyMicros: MICROS / 100, priceMicros });
    }
  }
  return venue;
}

function pushOf(series: readonly Series[], levels: number, variant: number): Command {
  const rows = series.map(({ sid }, i): MicrosQuote => {
    const mid = MID + (i % 400) * 100_000 + variant * STEP;
    const side = (sign: number): MicrosLevel[] =>
      Array.from({ length: levels }, (_, k) => [mid + sign * (k + 1) * GAP, 20_000 * 2 ** k]);
    const moved = (variant + i) / 10_000;
    return { sid, bids: side(-1), asks: side(1), iv: 0.5 + moved, delta: moved };
  });
  return { kind: 'quotes', session: null, rows };
}

if (import.meta.main) await run();
