import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { payoffOf } from '../areas/order/core/payoff/payoff.ts';
import type { PayoffLeg } from '../areas/order/core/payoff/payoff-leg.ts';
import { type Box, type Point, runsThrough } from '../basics/label-places.ts';
import {
  amountBox,
  payoffLabels,
  payoffPaths,
  payoffRanges,
  plotBeside,
  spotPath,
} from './payoff-picture.ts';
import { scaleOf } from './plot-scale.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const EXPIRY_TS = Date.UTC(2026, 11, 18) / 1_000;
/** The pictures of the ticket and of a chart, with room for a label over the lines of the first. */
const PICTURES = [
  { plot: { left: 0, right: 320, top: 20, bottom: 144 }, room: { left: 0, right: 320, top: 0, bottom: 144 } },
  { plot: { left: 58, right: 660, top: 20, bottom: 280 } },
] as const;

const leg = (right: 'C' | 'P', strike: number, qty: number): PayoffLeg => {
  const price = right === 'C' ? Math.max(2, 108 - strike) : Math.max(2, strike - 92);
  return {
    seriesId: `X-${right}-${strike}`,
    right,
    strike,
    expiryTs: EXPIRY_TS,
    qty,
    price,
    fee: 0.03,
    iv: 0.4,
  };
};

const ORDERS: Readonly<Record<string, readonly PayoffLeg[]>> = {
  'a long call': [leg('C', 100, 1)],
  'a short call': [leg('C', 100, -1)],
  'a long put': [leg('P', 100, 1)],
  'a short put': [leg('P', 100, -1)],
  'a long straddle': [leg('C', 100, 1), leg('P', 100, 1)],
  'a short strangle': [leg('C', 110, -1), leg('P', 90, -1)],
  'a call spread': [leg('C', 95, 1), leg('C', 105, -1)],
  'an iron condor': [leg('P', 85, 1), leg('P', 95, -1), leg('C', 105, -1), leg('C', 115, 1)],
};

describe('labels in the picture of a payoff (TERM-4)', () => {
  for (const [name, legs] of Object.entries(ORDERS))
    it(`names each break-even of ${name}, and the price now, on no line and on no other label`, () => {
      for (const spot of [80, 94, 100, 106.5, 125]) for (const picture of PICTURES) look(legs, spot, picture);
    });

  it('leaves out the price now where nobody knows it', () => {
    const { labels } = drawn(ORDERS['a long call']!, Number.NaN, PICTURES[0]);
    assert.deepEqual(
      labels.map(({ kind }) => kind),
      ['break-even'],
    );
  });
});

it('no line runs through the amounts of the upright axis (TERM-4)', () => {
  const widthOf = (text: string) => text.length * 6.4;
  const [{ plot: picture }] = PICTURES;
  for (const legs of Object.values(ORDERS))
    for (const spot of [80, 100, 125]) {
      const payoff = payoffOf(legs, { spot, nowMs: NOW_MS })!;
      const ranges = payoffRanges(payoff);
      const amounts = [ranges.y.low / 2, 0, ranges.y.high / 2];
      const texts = amounts.map((amount) => amount.toFixed(2));
      const plot = plotBeside(texts, picture, widthOf);
      const scale = scaleOf(plot, ranges);
      const { expiry, today, zero } = payoffPaths(payoff, scale);
      for (const [i, amount] of amounts.entries()) {
        const size = { width: widthOf(texts[i]!), height: 11 };
        const box = amountBox(scale.y(amount), plot, size);
        assert.ok(box.left >= picture.left && box.right <= plot.left);
        for (const line of [expiry, today, zero, spotPath(spot, scale)]) assert.ok(!runsThrough(line, box));
      }
    }
});

type Picture = (typeof PICTURES)[number];

function drawn(legs: readonly PayoffLeg[], spot: number, picture: Picture) {
  const payoff = payoffOf(legs, { spot, nowMs: NOW_MS })!;
  const scale = scaleOf(picture.plot, payoffRanges(payoff));
  const labels = payoffLabels(payoff, {
    ...{ scale, spot, now: 'BTC now', heightPx: 11 },
    breakEven: (at) => at.toFixed(2),
    room: 'room' in picture ? picture.room : picture.plot,
    widthOf: (text) => text.length * 6.4,
  });
  return { payoff, scale, labels };
}

function look(legs: readonly PayoffLeg[], spot: number, picture: Picture): void {
  const { payoff, scale, labels } = drawn(legs, spot, picture);
  const inSight = payoff.breakEvens.filter(
    (at) => at >= payoff.points[0]!.spot && at <= payoff.points.at(-1)!.spot,
  );
  assert.deepEqual(
    labels.map(({ text }) => text),
    [...inSight.map((at) => at.toFixed(2)), 'BTC now'],
  );
  const { expiry, today, zero } = payoffPaths(payoff, scale);
  const lines: readonly (readonly Point[])[] = [expiry, today, zero, spotPath(spot, scale)];
  const boxes = labels.map(({ place }) => place.box);
  for (const [i, box] of boxes.entries()) {
    for (const line of lines)
      assert.ok(!runsThrough(line, box), `a line runs through ${labels[i]!.text} at ${spot}`);
    for (const other of boxes.slice(0, i)) assert.ok(!overlaps(box, other), `two labels at ${spot}`);
  }
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
