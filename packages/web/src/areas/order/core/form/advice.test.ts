import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BATCH_REJECT,
  declined,
  EDGE_MESSAGES,
  fieldIn,
  houseLineExceeded,
  insufficientBuyingPower,
  insufficientMargin,
  MESSAGES,
  type Micros,
  malformed,
  type OrderAccepted,
  type PublicError,
  REJECT,
  required,
} from '@venue/protocol';
import { scenario } from '../../../../../../engine/test/scenario.ts';
import { succeeded } from '../../../../../../engine/test/scenario-parts.ts';
import { seriesIdOf, type Venue } from '../../../../../../engine/test/venue.ts';
import { type Advice, adviseFailure, adviseRejection } from './advice.ts';
import { adviceText } from './advice-text.ts';
import { resultOf } from './result.ts';

const micros = (decimal: number) => Math.round(decimal * 1e6) as Micros;
const ORDER = { qtyMicros: micros(5), markMicros: micros(3.1) };
const amounts = (need: number, have: number) => ({ needMicros: micros(need), haveMicros: micros(have) });

describe('ORD-1 declined orders', () => {
  const TABLE: Readonly<Record<keyof typeof REJECT, Advice>> = {
    unknownSeries: { kind: 'series-over', why: 'unknown' },
    seriesSettled: { kind: 'series-over', why: 'settled' },
    seriesExpired: { kind: 'series-over', why: 'expired' },
    badQty: { kind: 'mark-field', field: 'qty' },
    badPrice: { kind: 'mark-field', field: 'price' },
    accountFrozen: { kind: 'ask-operator', why: 'frozen' },
    insufficientCash: { kind: 'lower-qty', maxQtyMicros: null, amounts: null },
    reduceOnly: { kind: 'reduce-only' },
    equityDepleted: { kind: 'deposit', amounts: null },
    noLiquidity: { kind: 'make-limit', priceMicros: micros(3.1) },
    marginOff: { kind: 'margin-off' },
  };
  for (const [name, advice] of Object.entries(TABLE)) {
    const reason = REJECT[name as keyof typeof REJECT];
    test(reason, () => assert.deepEqual(adviseRejection(declined(reason), ORDER), advice));
  }

  test('too little buying power or margin: the affordable quantity', () => {
    const advise = (need: number, have: number, qty: number) => {
      const advice = adviseRejection(declined(insufficientBuyingPower(amounts(need, have))), {
        ...ORDER,
        qtyMicros: micros(qty),
      });
      assert.ok(advice.kind === 'lower-qty');
      return advice.maxQtyMicros! / 1e6;
    };
    assert.equal(advise(500, 350, 5), 3);
    assert.equal(advise(500, 350, 5.5), 3.8);
    assert.equal(advise(500, 350, 1), 0.69);
    assert.equal(advise(500, 0.5, 1), 0.00098);
    assert.equal(adviseRejection(declined(insufficientMargin(amounts(10, 5))), ORDER).kind, 'lower-qty');
  });

  test('with nothing left no quantity is possible', () => {
    for (const have of [0, -12.5]) {
      const advice = adviseRejection(declined(insufficientMargin(amounts(10, have))), ORDER);
      assert.deepEqual(advice, { kind: 'deposit', amounts: amounts(10, have) });
    }
  });

  test("the house line is the operator's matter; an unknown reason from a newer venue is left as it is", () => {
    const house = houseLineExceeded({ needMicros: micros(12.5), headroomMicros: micros(3) });
    assert.deepEqual(adviseRejection(declined(house), ORDER), { kind: 'ask-operator', why: 'house-line' });
    const later = { code: 'insufficient-patience' as 'bad-qty' };
    assert.deepEqual(adviseRejection(later, ORDER), { kind: 'other' });
    assert.deepEqual(adviseRejection({}, ORDER), { kind: 'other' });
  });
});

describe('BAT-4 reasons that only orders of a batch have', () => {
  for (const reason of Object.values(BATCH_REJECT)) {
    test(reason, () => {
      const advice = adviseRejection(declined(reason), ORDER);
      assert.ok(advice.kind === 'explain');
      assert.equal(adviceText(advice, { canDeposit: false }), advice.text);
      assert.match(advice.text, /^[A-Z].*\.$/);
    });
  }
});

describe('the advised quantity is accepted by the venue', () => {
  /** Ten contracts offered at 3.20, ten at 4, the rest far away; bids at 3. Alice has 200 of cash. */
  const listed = (more = ''): Venue =>
    scenario(
      `
      quote AAPL-C-210 bid 3x50 2x50 ask 3.20x10 4x10 20x100
      ${more}
    `,
      { paperCashMicros: micros(200) },
    );

  /** Why the engine declines an order of Alice's, or `accepted`. */
  const answerTo = (venue: Venue, order: { side: 'buy' | 'sell'; qtyMicros: Micros; price: string }) => {
    const { side, qtyMicros, price } = order;
    const priceMicros = price === 'market' ? null : micros(Number(price));
    const terms = { account: venue.account('alice').address!, seriesId: seriesIdOf('AAPL-C-210') };
    const outcome = succeeded(venue.apply({ kind: 'order', ...terms, side, qtyMicros, priceMicros }));
    if (typeof outcome === 'string') return outcome;
    return outcome.status === 'rejected' ? outcome.reason : 'accepted';
  };

  for (const [what, side, qty, price, more] of [
    ['a market buy through the book', 'buy', 80, 'market', ''],
    ['a limit that trades in part and rests', 'buy', 100, '3.20', ''],
    ['a limit to the micro, whose first part alone pays a fee', 'buy', 100.000001, '3.20', ''],
    ['a limit that only rests', 'buy', 100, '3.10', ''],
    ['a short', 'sell', 40, '3', 'margin alice on'],
    [
      'a short over a long',
      'sell',
      40,
      '3',
      'margin alice on\nbuy alice AAPL-C-210 5 @ 3.20   filled 5@3.20',
    ],
    ['a fraction', 'buy', 77.7, 'market', ''],
  ] as const) {
    test(what, () => {
      const order = { side, qtyMicros: micros(qty), price };
      const advice = adviseRejection(declined(answerTo(listed(more), order)), { ...order, markMicros: null });
      assert.ok(advice.kind === 'lower-qty' && advice.maxQtyMicros !== null);
      assert.ok(advice.maxQtyMicros > 0 && advice.maxQtyMicros < order.qtyMicros);
      assert.equal(answerTo(listed(more), { ...order, qtyMicros: advice.maxQtyMicros }), 'accepted');
    });
  }
});

describe('requests that fail', () => {
  const of = ({ status, error, code }: PublicError, more = {}) =>
    adviseFailure({ status, code, field: fieldIn(code, error), ...more });

  const TABLE: readonly (readonly [PublicError, Advice])[] = [
    [MESSAGES.nonceOutsideWindow, { kind: 'resync-clock' }],
    [MESSAGES.nonceUsed, { kind: 'unknown-outcome' }],
    [MESSAGES.internal, { kind: 'unknown-outcome' }],
    [EDGE_MESSAGES.exchangeUnreachable, { kind: 'unknown-outcome' }],
    [EDGE_MESSAGES.exchangeLate, { kind: 'unknown-outcome' }],
    [MESSAGES.sessionExpired, { kind: 'approve', why: 'expired' }],
    [MESSAGES.unknownSessionKey, { kind: 'approve', why: 'unknown' }],
    [MESSAGES.mustBeSigned, { kind: 'approve', why: 'unsigned' }],
    [MESSAGES.badSignature, { kind: 'approve', why: 'bad-signature' }],
    [MESSAGES.unknownToken, { kind: 'sign-in' }],
    [MESSAGES.accountFrozen, { kind: 'ask-operator', why: 'frozen' }],
    [MESSAGES.unknownSeries, { kind: 'series-over', why: 'unknown' }],
    [MESSAGES.badQty, { kind: 'mark-field', field: 'qty' }],
    [malformed('price'), { kind: 'mark-field', field: 'price' }],
    [required('qty'), { kind: 'mark-field', field: 'qty' }],
    [malformed('seriesId'), { kind: 'other' }],
    [MESSAGES.tooManyInFlight, { kind: 'wait', ms: 5_000 }],
    [MESSAGES.notFound, { kind: 'other' }],
  ];
  for (const [failure, advice] of TABLE) {
    test(`${failure.status} ${failure.error}`, () => assert.deepEqual(of(failure), advice));
  }

  test('a missing answer has an unknown outcome', () =>
    assert.deepEqual(adviseFailure(null), { kind: 'unknown-outcome' }));

  test('the server says how long to wait', () => {
    assert.deepEqual(of(EDGE_MESSAGES.tooManyRequests, { retryAfterMs: 12_000 }), {
      kind: 'wait',
      ms: 12_000,
    });
  });
});

describe('ORD-2 accepted orders', () => {
  const answer = (status: OrderAccepted['status'], fills: OrderAccepted['fills'], restedQty: number) =>
    ({ status, orderId: 7, fills, restedQty }) as unknown as OrderAccepted;
  const fills = [
    { price: 1240, qty: 1.5 },
    { price: 1244, qty: 0.5 },
  ];

  for (const [kind, given, text] of [
    ['filled', answer('filled', [{ price: 1240, qty: 5 }], 0), '5 filled at 1,240.00'],
    ['rested', answer('rested', [], 5), '5 resting at 1,250.00'],
    ['partly-rested', answer('partial', fills, 3), '2 filled at 1,241.00, 3 resting at 1,250.00'],
    [
      'partly-cancelled',
      answer('partial', fills, 0),
      '2 filled at 1,241.00, 3 cancelled: market orders never rest',
    ],
    ['cancelled', answer('cancelled', [], 0), '5 cancelled: market orders never rest'],
  ] as const) {
    test(text, () => {
      const result = resultOf(given, { qty: 5, price: 1_250 });
      assert.deepEqual([result.kind, result.text], [kind, text]);
      assert.equal(result.filledMicros + result.restedMicros + result.cancelledMicros, micros(5));
    });
  }
});

describe('BAT-3, TIF-3 orders with a time in force or a flag', () => {
  const fills = [{ price: 1_240, qty: 2 }];
  for (const [terms, answer, text] of [
    [{ tif: 'ioc', price: 1_250 }, { fills }, '2 filled at 1,240.00, 3 cancelled: immediate or cancel'],
    [
      { price: 1_250 },
      { fills, restedQty: 0, reason: BATCH_REJECT.selfTradePrevented, code: 'self-trade-prevented' },
      '2 filled at 1,240.00, 3 cancelled: it met an order of your own',
    ],
    [
      { tif: 'ioc', price: 1_250 },
      { fills, restedQty: 0, qty: 2 },
      '2 filled at 1,240.00, cut from 5 to what there was to reduce',
    ],
  ] as const) {
    test(text, () => assert.equal(resultOf(answer, { qty: 5, ...terms }).text, text));
  }
});
