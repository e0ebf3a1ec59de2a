/** Open interest of an expiry, and what the venue's own accounts stand to lose on it (OPS-1, CMB-5). */

import { HOUSE, type Instrument, MAKER, type Series, type State } from '@venue/engine';
import {
  clampMicros,
  ExactSum,
  type ExposedExpiry,
  MICROS_PER_UNIT,
  type Micros,
  microsToDecimal,
  toMicros,
} from '@venue/protocol';
import { intrinsicMicros } from '@venue/protocol/margin';

/** A series, and how many contracts of it the venue's own accounts hold. */
interface OwnHolding {
  readonly series: Series;
  readonly qtyMicros: number;
}

/** The series with open interest of each expiry that has any, by underlying and time. */
export function openExpiries({ instruments }: State): readonly (readonly Series[])[] {
  return [...instruments.values()].flatMap(openExpiriesOf);
}

function openExpiriesOf({ series }: Instrument): readonly (readonly Series[])[] {
  const open = series.filter(({ openInterestMicros }) => openInterestMicros > 0);
  const byExpiry = Map.groupBy(open, ({ expiryTs }) => expiryTs);
  return [...byExpiry.entries()].sort(([a], [b]) => a - b).map(([, ofExpiry]) => ofExpiry);
}

/** One of them. */
export function expiryView(state: State, series: readonly Series[]): ExposedExpiry {
  const { instrument, expiryTs, status } = series[0]!;
  const { spotMicros } = instrument;
  const own = series.map((one) => ({
    series: one,
    qtyMicros: heldBy(state, MAKER, one) + heldBy(state, HOUSE, one),
  }));
  const open = sumOf(series, ({ openInterestMicros }) => openInterestMicros);
  const shareOf = (index: number) => sumOf(series, (one) => Math.abs(heldBy(state, index, one))) / open;
  const net = sumOf(own, ({ qtyMicros }) => qtyMicros);
  return {
    symbol: instrument.symbol,
    expiryTs,
    isPendingReview: status === 'pending-review',
    openInterest: microsToDecimal(clampMicros(open)),
    grossNotional: notional(open, spotMicros),
    netNotional: notional(net, spotMicros),
    makerShare: shareOf(MAKER),
    houseShare: shareOf(HOUSE),
    worst: worstOf(own, spotMicros),
    uncoveredCalls: microsToDecimal(uncoveredMicros(own)),
  };
}

function heldBy({ accounts }: State, index: number, { sid }: Series): number {
  return accounts[index]!.positions.get(sid)?.qtyMicros ?? 0;
}

function notional(qtyMicros: number, spotMicros: Micros): number {
  return microsToDecimal(new ExactSum().addMulDivFloor(qtyMicros, spotMicros, MICROS_PER_UNIT).clamped());
}

/**
 * The payoff of holdings is piecewise linear in the price, so it is least at zero, at a strike, or at the end of the range.
 * Past the end only `uncoveredMicros` tells how it goes on.
 */
function worstOf(own: readonly OwnHolding[], spotMicros: Micros): ExposedExpiry['worst'] {
  const held = own.filter(({ qtyMicros }) => qtyMicros !== 0);
  const strikes = held.map(({ series }) => series.strikeMicros);
  const end = toMicros(Math.max(spotMicros * 2, ...strikes));
  let worst = { amountMicros: payoffMicros(held, end), atMicros: end };
  for (const atMicros of [...strikes, toMicros(0)]) {
    const amountMicros = payoffMicros(held, atMicros);
    if (amountMicros <= worst.amountMicros) worst = { amountMicros, atMicros };
  }
  return { amount: microsToDecimal(worst.amountMicros), at: microsToDecimal(worst.atMicros) };
}

function payoffMicros(held: readonly OwnHolding[], priceMicros: Micros): Micros {
  const sum = new ExactSum();
  for (const { series, qtyMicros } of held)
    sum.addMulDivFloor(qtyMicros, intrinsicMicros(series, priceMicros), MICROS_PER_UNIT);
  return sum.clamped();
}

function uncoveredMicros(own: readonly OwnHolding[]): Micros {
  const calls = own.filter(({ series }) => series.right === 'C');
  return clampMicros(Math.max(0, -sumOf(calls, ({ qtyMicros }) => qtyMicros)));
}

function sumOf<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}
