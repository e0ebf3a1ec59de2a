import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FilledOrder, joined, type News, wordsOf } from './news.ts';

const CALL = `BTC-${Date.UTC(2026, 10, 29, 1) / 1_000}-C-95000`;

function filled(qty: number, { total, left, ...given }: Partial<Filled> = {}): News {
  const row: FilledOrder = {
    ...{ orderId: 1, seriesId: CALL, side: 'buy', qtyMicros: qty * 1e6, worth: 1_240e6 * qty * 1e6 },
    totalMicros: total === undefined ? null : total * 1e6,
    leftMicros: (left ?? 0) * 1e6,
    ...given,
  };
  return { kind: 'fills', since: 1, at: 1, rows: [row], more: 0 };
}

interface Filled extends FilledOrder {
  readonly total: number;
  readonly left: number;
}

describe('PUSH-6 news in words', () => {
  for (const [news, title, body] of [
    [
      filled(2, { total: 5, left: 3 }),
      'Buy order filled in part',
      '2 of 5 BTC 28 Nov 95,000 C filled at 1,240.00',
    ],
    [filled(5, { total: 5 }), 'Buy order filled', '5 BTC 28 Nov 95,000 C filled at 1,240.00'],
    [
      filled(3, { total: 5, side: 'sell' }),
      'Sell order filled',
      'last 3 of 5 BTC 28 Nov 95,000 C filled at 1,240.00',
    ],
    [filled(0.25), 'Buy order filled', '0.25 BTC 28 Nov 95,000 C filled at 1,240.00'],
  ] as const)
    test(body, () => assert.deepEqual(wordsOf(news), { title, body, place: CALL }));

  test('the fills of one order are one line, at their average', () => {
    const first = filled(1, { total: 5, left: 4, worth: 1e12 * 1_000 });
    const second = filled(1, { total: 5, left: 3, worth: 1e12 * 1_001 });
    assert.equal(wordsOf(joined(first, second)).body, '2 of 5 BTC 28 Nov 95,000 C filled at 1,000.50');
  });

  test('a thousand orders are one message, of three lines and a count', () => {
    let news: News | undefined;
    for (let orderId = 1; orderId <= 1_000; orderId += 1) news = joined(news, filled(1, { orderId }));
    const { title, body, place } = wordsOf(news!);
    assert.equal(title, '1000 orders filled');
    assert.equal(body.split('\n').length, 4);
    assert.match(body, /and 997 more$/);
    assert.equal(place, 'BTC');
    assert.ok(JSON.stringify(news).length < 5_000);
  });

  test('legs of a combo are one message', () => {
    const other = CALL.replace('95000', '97000');
    const news = joined(filled(1), filled(1, { seriesId: other, side: 'sell' }));
    assert.equal(wordsOf(news).title, 'Combo filled');
    assert.equal(wordsOf(news).place, 'BTC');
  });

  test('settlements of one expiry are one line with what came of them', () => {
    const of = (realizedMicros: number): News => {
      const row = {
        symbol: 'BTC',
        expiryTs: Date.UTC(2026, 10, 29, 1) / 1_000,
        priceMicros: 95_120e6,
        realizedMicros,
      };
      return { kind: 'settlement', since: 1, at: 1, rows: [row], more: 0 };
    };
    assert.deepEqual(wordsOf(joined(of(100e6), of(-184.1e6))), {
      ...{ title: 'Settled', body: 'BTC 28 Nov at 95,120.00: −84.10 USD', place: 'BTC' },
    });
  });

  test('a margin call says by how much, a guard how many', () => {
    assert.match(
      wordsOf({ kind: 'margin', since: 1, at: 1, shortfallMicros: 812e6 }).body,
      /^Equity is 812\.00 USD below/,
    );
    const one: News = { kind: 'guard', since: 1, at: 1, orders: 1 };
    assert.equal(wordsOf(one).body, '1 order was cancelled.');
    assert.equal(wordsOf(joined(one, one)).body, '2 orders were cancelled.');
  });
});
