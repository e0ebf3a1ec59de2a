import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderFill, OrderPreviewAnswer } from '@venue/protocol';
import { payoffOf } from '../payoff/payoff.ts';
import type { PayoffLeg } from '../payoff/payoff-leg.ts';
import { type ForeseenOrder, foreseen, foreseenText } from './foreseen.ts';
import { legsNote, orderLegs } from './order-legs.ts';

const CALL = 'BTC-1764374400-C-95000';
const MOMENT = { spot: 95_000, nowMs: Date.UTC(2025, 10, 1) };

function order(
  terms: { side?: 'buy' | 'sell'; qty: number; price?: number },
  answer: Partial<
    Pick<OrderPreviewAnswer, 'fills' | 'restedQty' | 'fee' | 'status' | 'reason' | 'code'>
  > | null,
  mark = 12,
): ForeseenOrder {
  const { fills = [], restedQty = 0, fee = 0, status = 'filled' } = answer ?? {};
  const preview = { ...answer, status, fills, restedQty, fee } as OrderPreviewAnswer;
  return {
    terms: { seriesId: CALL, side: 'buy', ...terms },
    preview: answer === null ? null : preview,
    mark,
  };
}

const fill = (qty: number, price: number): OrderFill => ({ qty, price });

test('a market order larger than the book: the filled part, its average, its distance from the mark, and the rest', () => {
  const large = order({ qty: 50 }, { fills: [fill(1.5, 12), fill(2, 12.7)] });
  assert.equal(
    foreseenText(large),
    'Fills 3.5 of 50 at 12.40 average, 3.3% above the mark; the rest is cancelled.',
  );
  assert.deepEqual(foreseen(large), { filled: 3.5, average: 12.4, rested: 0, cancelled: 46.5 });
});

test('a limit order: the part that fills now and the part that rests', () => {
  const partly = order({ qty: 5, price: 12.5 }, { fills: [fill(2, 12)], restedQty: 3 });
  assert.equal(foreseenText(partly), 'Fills 2 of 5 at 12.00, at the mark; 3 rest at 12.50.');
  assert.equal(
    foreseenText(order({ qty: 5, price: 11 }, { restedQty: 5 })),
    'No immediate fill; all of it rests at 11.00.',
  );
  assert.equal(
    foreseenText(order({ side: 'sell', qty: 2 }, { fills: [fill(2, 11.4)] })),
    'Fills all 2 at 11.40, 5.0% below the mark.',
  );
  assert.equal(
    foreseenText(order({ qty: 2 }, { fills: [fill(2, 12)] }, Number.NaN)),
    'Fills all 2 at 12.00.',
  );
});

test('TERM-3: a close says about what it trades at, and that its limit is only a bound', () => {
  const close = (terms: { side?: 'buy' | 'sell'; qty: number; price: number }, fills: OrderFill[]) =>
    foreseenText({ ...order(terms, { fills }), isClosing: true });
  assert.equal(
    close({ side: 'sell', qty: 1, price: 803.7 }, [fill(1, 842.75)]),
    'Sells 1 at market, about 842.75, not under 803.70.',
  );
  assert.equal(close({ qty: 2, price: 13 }, [fill(2, 12)]), 'Buys 2 at market, about 12.00, not over 13.00.');
  assert.equal(
    close({ qty: 2, price: 12 }, [fill(1, 12)]),
    'Fills 1 of 2 at 12.00, at the mark; the rest is cancelled.',
  );
});

test('TIF-3: a reduce-only order speaks of what it is cut to', () => {
  const { preview, ...cut } = order({ side: 'sell', qty: 5 }, { fills: [fill(2, 12)] });
  assert.equal(
    foreseenText({ ...cut, preview: { ...preview!, qty: 2 } }),
    'Fills all 2 at 12.00, at the mark. Cut to 2: no more is left to reduce.',
  );
  assert.deepEqual(foreseen({ ...cut, preview: { ...preview!, qty: 3 } }), {
    ...{ filled: 2, average: 12, rested: 0, cancelled: 1 },
  });
});

test('nothing is said about an order that would be declined or has no preview', () => {
  assert.equal(foreseenText(order({ qty: 2 }, null)), null);
  assert.equal(foreseenText(order({ qty: 2 }, { status: 'rejected', reason: 'bad qty' })), null);
});

const terms = (legs: readonly PayoffLeg[]) => legs.map(({ qty, price, fee }) => [qty, price, fee]);

test('the payoff covers what fills and rests, not what is cancelled', () => {
  const large = order({ qty: 50 }, { fills: [fill(1.5, 12), fill(2, 12.7)], fee: 0.22 });
  assert.deepEqual(terms(orderLegs(large, 0.5)), [[3.5, 12.4, 0.22]]);
  assert.equal(payoffOf(orderLegs(large, 0.5), MOMENT)!.worst.toFixed(2), '-43.62');
  const partly = order(
    { side: 'sell', qty: 5, price: 12 },
    { fills: [fill(2, 12.5)], restedQty: 3, fee: 0.1 },
  );
  assert.deepEqual(terms(orderLegs(partly, 0.5)), [
    [-2, 12.5, 0.1],
    [-3, 12, 0],
  ]);
  assert.match(legsNote(partly), /Counts the 3 that rest as filled/);
});

test('without a preview the whole order counts at its limit or the mark, and the note says so; without a price there is no payoff', () => {
  assert.deepEqual(terms(orderLegs(order({ qty: 5, price: 11 }, null), Number.NaN)), [[5, 11, 0]]);
  assert.deepEqual(terms(orderLegs(order({ qty: 5 }, null), Number.NaN)), [[5, 12, 0]]);
  assert.match(legsNote(order({ qty: 5 }, null)), /All of it at the mark, without the fee/);
  assert.deepEqual(orderLegs(order({ qty: 5 }, null, Number.NaN), 0.5), []);
  assert.deepEqual(
    orderLegs(order({ qty: 5 }, { status: 'rejected', reason: 'no liquidity', code: 'no-liquidity' }), 0.5),
    [],
  );
});

test('a spread can lose its cost, whichever leg comes last, and a short put beside a call its strike', () => {
  const leg = (right: 'C' | 'P', strike: number, qty: number, price: number): PayoffLeg => ({
    ...{ seriesId: `BTC-1764374400-${right}-${strike}`, right, strike, expiryTs: 1_764_374_400 },
    ...{ qty, price, fee: 0, iv: 0.5 },
  });
  const short = order({ side: 'sell', qty: 1, price: 1_000 }, { restedQty: 1 });
  const spread = [leg('C', 94_000, 1, 1_473), ...orderLegs(short, 0.5)];
  assert.equal(payoffOf(spread, MOMENT)!.worst, -473);
  assert.equal(payoffOf(orderLegs(short, 0.5), MOMENT)!.worst, Number.NEGATIVE_INFINITY);
  const bought = order({ qty: 1 }, { fills: [fill(1, 1_589.05)], fee: 7.95 });
  const beside = [leg('P', 94_000, -1, 494), ...orderLegs(bought, 0.5)];
  assert.equal(payoffOf(orderLegs(bought, 0.5), MOMENT)!.worst, -1_597);
  assert.equal(payoffOf(beside, MOMENT)!.worst, -95_103);
});
