import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VenueClient } from '../client/client.ts';
import type { OrderTerms } from '../sign/signed-bodies.ts';
import { randomPrivateKey, type Session, walletFromPrivateKey } from '../sign/wallet.ts';
import type { ComboTerms } from '../trade/actions.ts';
import { exactMicros, wireNumber } from './checks.ts';

// Nothing listens there: a call that got past its checks would fail with another error.
const venue = new VenueClient({ url: 'http://127.0.0.1:1' });
const key = randomPrivateKey();
const { address } = walletFromPrivateKey(key);
venue.auth.useSession({
  account: address,
  sessionKey: address,
  privateKey: key,
  expiresAtMs: 2e12,
} as Session);

const good = { seriesId: 'BTC-1764374400-C-100000', side: 'buy', qty: 1, price: 2 };

const BAD_ORDERS: [string, object, RegExp][] = [
  ['no quantity', { qty: undefined }, /^TypeError: qty must be a number or a decimal text, not undefined/],
  [
    'a time in seconds',
    { expiresAt: 1_796_000_000 },
    /^RangeError: expiresAt 1796000000 .* it looks like seconds/,
  ],
  ['a time in microseconds', { expiresAt: 1_796e12 }, /it looks like microseconds/],
  ['a time in nanoseconds', { expiresAt: 1_796e15 }, /it looks like nanoseconds/],
  ['a time of no whole number', { expiresAt: 1.5 }, /^RangeError: expiresAt 1.5 is not a whole number/],
  ['a time as text', { expiresAt: '2026-11-29' }, /^TypeError: expiresAt must be a number/],
  ['a quantity in bigint', { qty: 1n }, /^TypeError: qty must be a number or a decimal text, not bigint/],
  ['a quantity of no digits', { qty: '' }, /^RangeError: qty {2}is not a whole number of millionths/],
  ['a quantity in hexadecimal', { qty: '0x1' }, /^RangeError: qty 0x1 is not/],
  ['a quantity with an exponent', { qty: '1e3' }, /^RangeError: qty 1e3 is not/],
  ['a quantity with spaces', { qty: ' 1' }, /^RangeError: qty {2}1 is not/],
  ['a quantity with a comma', { qty: '1,5' }, /^RangeError: qty 1,5 is not/],
  ['a text below a micro', { qty: '0.0000001' }, /^RangeError: qty 0.0000001 is not/],
  ['a text of zero', { qty: '0.000' }, /^RangeError: qty 0.000 is not positive/],
  ['a text that is negative', { qty: '-1' }, /^RangeError: qty -1 is not positive/],
  ['a text beyond the exact range', { qty: '10000000000' }, /^RangeError: qty 10000000000 is not/],
  ['a quantity of zero', { qty: 0 }, /^RangeError: qty 0 is not positive/],
  ['a negative quantity', { qty: -1 }, /^RangeError: qty -1 is not positive/],
  ['a quantity below a micro', { qty: 1e-7 }, /^RangeError: qty 1e-7 is not a whole number of millionths/],
  ['a sum of decimals', { qty: 0.1 + 0.2 }, /^RangeError: qty 0.30000000000000004 is not/],
  ['a quantity beyond the exact range', { qty: 1e10 }, /^RangeError: qty 10000000000 is not/],
  ['NaN', { price: Number.NaN }, /^RangeError: price NaN is not/],
  ['an infinity', { price: Infinity }, /^RangeError: price Infinity is not/],
  ['a price of null', { price: null }, /^TypeError: price must be a number or a decimal text, not null/],
  [
    'a price that came out as undefined',
    { price: undefined },
    /^TypeError: price is undefined: leave it out/,
  ],
  ['a price of zero', { price: 0 }, /^RangeError: price 0 is not positive/],
  ['a side in another case', { side: 'BUY' }, /^TypeError: side must be buy or sell, not BUY/],
  [
    'flags that exclude each other',
    { price: 2, postOnly: true, tif: 'ioc' },
    /^RangeError: .*postOnly malformed/,
  ],
  ['a series that is not text', { seriesId: 7 }, /^TypeError: seriesId must be a text/],
];
for (const [title, change, message] of BAD_ORDERS) {
  test(`NUM-2: an order with ${title} is not signed, and no preview is requested`, async () => {
    const terms = { ...good, ...change } as OrderTerms;
    await assert.rejects(venue.orders.place(terms), message);
    await assert.rejects(venue.orders.preview(terms), message);
  });
}

test('invalid arguments of other calls are reported before anything is signed or sent', async () => {
  const { orders, withdrawals, account, market, auth } = venue;
  await assert.rejects(withdrawals.request(0), /^RangeError: amountUsd 0 is not positive/);
  await assert.rejects(withdrawals.request('5 USD'), /^RangeError: amountUsd 5 USD is not/);
  await assert.rejects(withdrawals.find(1.5), RangeError);
  await assert.rejects(orders.cancelOrder(-1), /^RangeError: orderId -1 is not a whole number from 0 on/);
  await assert.rejects(orders.cancelOrder('7' as never), TypeError);
  await assert.rejects(orders.setMargin('false' as never), TypeError);
  const legs = (['C', 'P'] as const).map((right) => {
    return { seriesId: `BTC-1764374400-${right}-100000`, side: 'buy', ratio: 1 } as const;
  });
  const combo = { legs, qty: 1, net: undefined } as unknown as ComboTerms;
  await assert.rejects(
    orders.combo(combo),
    /^TypeError: net is undefined: leave it out to trade at the market/,
  );
  await assert.rejects(orders.previewCombo(combo), TypeError);
  await assert.rejects(orders.cancel([]), { message: 'envelope field symbols: empty' });
  await assert.rejects(orders.cancel([]), RangeError);
  await assert.rejects(
    orders.guard(30),
    /^RangeError: ms 30 is not from 5000 to 600000: a guard is in milliseconds/,
  );
  await assert.rejects(orders.guard('30000' as never), /^TypeError: ms must be a number/);
  await assert.rejects(market.chain('BTC', 1_764_374_400_000), /not in seconds/);
  await assert.rejects(account.statement({ from: 1_764_374_400 }), /from 1764374400 is not in milliseconds/);
  const wallet = walletFromPrivateKey(key);
  await assert.rejects(auth.approveSession(wallet, { lifetimeMs: 31 * 86_400_000 }), /more than 30 days/);
  await assert.rejects(auth.approveSession(wallet, { lifetimeMs: 0 }), RangeError);
  await assert.rejects(auth.sessions('0x12'), /^TypeError: not an address: 0x12/);
});

test('an unsigned withdrawal is not sent', async () => {
  const unsigned = new VenueClient({ url: venue.url });
  await assert.rejects(unsigned.withdrawals.request(1), /approve a session key first/);
});

test('NUM-2: a decimal text is taken digit by digit', () => {
  const texts: [string, number][] = [
    ['0.000001', 1],
    ['12.25', 12_250_000],
    ['0.1000000000', 100_000],
    ['007', 7_000_000],
    ['-0.5', -500_000],
    ['-0', 0],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
  ];
  for (const [text, micros] of texts) {
    const found = exactMicros('qty', text);
    assert.ok(Object.is(found, micros), `${text}: ${found}`);
  }
  assert.throws(() => exactMicros('qty', '9007199254.740992'), RangeError);
});

test('NUM-2: a text that no number on the wire holds exactly is refused', () => {
  assert.equal(wireNumber('qty', '4294967295.000001'), 4294967295.000001);
  assert.throws(
    () => wireNumber('qty', '9007199254.740991'),
    /qty 9007199254.740991 is too large to be exact/,
  );
});
