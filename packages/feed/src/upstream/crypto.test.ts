// @process feed-sdk
// @seconds 10

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { KrakenServer } from '../../test/kraken-server.ts';
import { Connected, until } from '../../test/upstream.ts';
import { CRYPTO_SOURCES, cryptoListener } from './crypto.ts';
import { SYSTEM_CLOCK } from './freshness.ts';

const PAIR = 'BTC/USD';
const { trades, ticker, mid } = CRYPTO_SOURCES;
const levels = (price: number) => [{ price, qty: 1 }];

let server: KrakenServer;
let connected: Connected;

beforeEach(async () => {
  server = await KrakenServer.start();
  connected = new Connected();
});

afterEach(async () => {
  await connected.stop();
  await server.stop();
});

async function connect({
  pairs = new Map([['BTC', PAIR]]),
  silenceMs = 60_000,
  clock = SYSTEM_CLOCK,
} = {}): Promise<void> {
  connected.run(await cryptoListener({ url: server.url, pairs, board: connected.board, clock }), silenceMs);
  await until(() => server.subscriptions.length >= 3 * pairs.size);
}

/** Sends all three kinds of price until each channel trusts them. */
async function warm(price = 95_000): Promise<void> {
  server.book(PAIR, levels(price - 1), levels(price + 1));
  await until(
    () => [trades, ticker, mid].every((source) => connected.price(source) === price),
    () => {
      server.trade(PAIR, price);
      server.ticker(PAIR, price);
      server.book(PAIR, levels(price - 1), [], 'update');
    },
  );
  connected.board.report();
}

/** Sends a trade, and waits until it and so everything sent before it was read. */
async function hasRead(price: number): Promise<void> {
  server.trade(PAIR, price);
  await until(() => connected.price(trades) === price);
}

test('trades, ticker and book midpoint of each pair are three sources', async () => {
  await connect();
  assert.deepEqual(server.subscriptions.toSorted(), ['book BTC/USD', 'ticker BTC/USD', 'trade BTC/USD']);
  await warm();
  server.trade(PAIR, 95_010.5);
  server.ticker(PAIR, 95_011);
  server.book(PAIR, [{ price: 95_020, qty: 1 }], [{ price: 95_001, qty: 0 }, ...levels(95_023)], 'update');
  await until(() => connected.price(mid) === 95_021.5);
  await until(() => connected.price(trades) === 95_010.5 && connected.price(ticker) === 95_011);
  assert.deepEqual(connected.lines, ['up: connected']);
});

test('several pairs do not mix', async () => {
  await connect({
    pairs: new Map([
      ['BTC', PAIR],
      ['ETH', 'ETH/USDT'],
    ]),
  });
  const seen = new Set<string>();
  await until(
    () => {
      for (const print of connected.take()) seen.add(print);
      return seen.size === 4;
    },
    () => {
      server.trade(PAIR, 95_000);
      server.trade('ETH/USDT', 3_300, { id: 1_000_000 + Math.floor(performance.now()) });
      server.ticker(PAIR, 95_000);
      server.ticker('ETH/USDT', 3_300);
    },
  );
  assert.deepEqual([...seen].sort(), [
    `BTC ${ticker} 95000`,
    `BTC ${trades} 95000`,
    `ETH ${ticker} 3300`,
    `ETH ${trades} 3300`,
  ]);
});

test('duplicates, old prices, outliers and impossible prices never come through', async () => {
  await connect();
  await warm();
  server.trade(PAIR, 95_001, { id: 90_001 });
  await until(() => connected.price(trades) === 95_001);
  server.trade(PAIR, 95_002, { id: 90_001 });
  server.trade(PAIR, 95_003, { atMs: Date.now() - 60_000 });
  server.trade(PAIR, 95_004, { atMs: Date.now() + 60_000 });
  for (const price of [0, -1, 1, 9e9, '1e400', 'much', null]) server.trade(PAIR, price);
  server.ticker(PAIR, 1_000_000);
  // A burst is read as its last update.
  await hasRead(95_004.5);
  server.ticker(PAIR, 94_000, 'snapshot');
  await hasRead(95_005);
  assert.equal(connected.price(ticker), 95_000);
  const report = connected.board.report();
  assert.match(report, /1 duplicate/);
  assert.match(report, /1 history/);
  assert.match(report, /1 future/);
  assert.match(report, /3 outlier/);
  assert.match(report, /not positive/);
  assert.match(report, /not a number/);
});

test('garbage is counted, and needs no reconnection', async () => {
  await connect();
  await warm();
  for (const text of [
    '{"channel":',
    'hello',
    '[]',
    '42',
    'null',
    '""',
    '{}',
    '{"channel":"trade","data":[{"symbol":"X/Y"}]}',
  ])
    server.sendText(text);
  // Neither a number nor a text: JavaScript throws where it is asked for one.
  const price = { valueOf: 1, toString: 1 };
  server.trade(PAIR, price);
  server.ticker(PAIR, price);
  server.send({ channel: 'ticker', type: 'update', data: [] });
  server.send({ channel: 'ticker', type: 'update', data: 'none' });
  server.send({ channel: 'trade', type: 'update', data: {} });
  server.trade(PAIR, 95_001);
  await until(() => connected.price(trades) === 95_001);
  assert.match(connected.board.report(), /garbled/);
  assert.deepEqual(connected.lines, ['up: connected']);
});

test('a book update without its book is a loss: only a new snapshot repairs it', async () => {
  await connect();
  server.book(PAIR, levels(1), [], 'update');
  await until(() => server.connections === 2);
  assert.match(connected.lines.join('\n'), /lost \(.+\), reconnecting/);
  await until(() => server.subscriptions.length === 6);
  await warm();
});

test('a level that falls out of the depth of a book is forgotten: the upstream takes it out no more', async () => {
  await connect();
  await warm();
  const bids = Array.from({ length: 10 }, (_, i) => ({ price: 94_990 + i, qty: 1 }));
  server.book(PAIR, bids, levels(95_002));
  server.book(PAIR, levels(95_000), [], 'update');
  await until(() => connected.price(mid) === 95_001);
  const gone = [...bids.slice(1), { price: 95_000 }].map(({ price }) => ({ price, qty: 0 }));
  server.book(PAIR, gone, [], 'update');
  await hasRead(95_001);
  assert.equal(connected.price(mid), 95_001);
  assert.match(connected.board.report(), /1 not a number/);
});

test('a book that cannot be read is a loss', async () => {
  await connect();
  server.send({ channel: 'book', type: 'update', data: [{ symbol: PAIR, bids: 'none', asks: [] }] });
  await until(() => server.connections === 2);
  assert.match(connected.lines.join('\n'), /lost \(a book cannot be read\)/);
});

test('what comes after a frame that ends the connection is not read', async () => {
  await connect();
  await warm();
  const before = server.connections;
  server.send({ channel: 'book', type: 'update', data: [{ symbol: PAIR, bids: 'none', asks: [] }] });
  // In the same packet or not: the book lacks an update by then.
  for (let i = 0; i < 20; i++) server.book(PAIR, [{ price: 95_000.5, qty: 1 }], [], 'update');
  await until(() => server.connections > before);
  assert.equal(connected.price(mid), 95_000);
});

test('a book of a pair that nobody asked for is garbled, and its update no loss', async () => {
  await connect();
  await warm();
  server.book('X/USD', levels(1), levels(2), 'update');
  server.book('X/USD', levels(1), levels(2));
  await hasRead(95_001);
  assert.match(connected.board.report(), /2 garbled/);
  assert.deepEqual(connected.lines, ['up: connected']);
});

test('a crossed book, a one-sided one and one with a wide spread have no midpoint', async () => {
  await connect();
  await warm();
  connected.take();
  for (const [bid, ask] of [
    [levels(95_010), levels(95_000)],
    [levels(95_000), []],
    [levels(90_000), levels(100_000)],
  ] as const)
    server.book(PAIR, bid, ask);
  server.trade(PAIR, 95_001);
  await until(() => connected.price(trades) === 95_001);
  assert.equal(connected.price(mid), 95_000);
  assert.match(connected.board.report(), /crossed book/);
});

test('a connection that is cut is reopened, and prices continue without new confirmation', async () => {
  await connect();
  await warm();
  server.cut();
  await until(() => server.connections === 2 && server.subscriptions.length === 6);
  server.trade(PAIR, 95_003);
  await until(() => connected.price(trades) === 95_003);
  assert.match(
    connected.lines[1]!,
    /^up: lost \(connection closed by remote server, closing code 1006\), reconnecting/,
  );
  assert.equal(connected.lines[2], 'up: connected');
});

test('silence and a refused subscription are losses', async () => {
  await connect({ silenceMs: 1_000 });
  server.isSilent = true;
  const { connections } = server;
  await until(() => connected.lines.some((line) => line.includes('lost (no message for 1 s)')));
  await until(() => server.connections > connections);
  server.unknownPairs.add(PAIR);
  server.isSilent = false;
  server.cut();
  await until(() =>
    connected.lines.some((line) =>
      line.includes('lost (subscription refused: Currency pair not supported BTC/USD)'),
    ),
  );
});

test('a refusal whose reason is no text, or of several lines, is a loss in one line', async () => {
  await connect();
  for (const [error, words] of [
    [{ toString: 1 }, 'without a reason'],
    [undefined, 'without a reason'],
    ['no\nsuch pair', 'no such pair'],
  ] as const) {
    connected.lines.length = 0;
    await until(
      () => connected.lines.some((line) => line.includes(`lost (subscription refused: ${words})`)),
      () => server.send({ method: 'subscribe', success: false, error }),
    );
  }
});

test('an unchanged book is published again, but not while the upstream says that its market is closed', async () => {
  const ahead = { ms: 0 };
  const clock = { wallMs: () => Date.now(), steadyMs: () => performance.now() + ahead.ms };
  await connect({ clock });
  await warm();
  connected.take();
  ahead.ms += 5_000;
  await until(() => connected.take().includes(`BTC ${mid} 95000`));
  server.send({ channel: 'status', type: 'update', data: [{ system: 'maintenance' }] });
  await hasRead(95_001);
  connected.take();
  ahead.ms += 5_000;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  assert.deepEqual(connected.take(), []);
});

test('an upstream that is down is retried; the end closes every socket soon', async () => {
  const { url } = server;
  await server.stop();
  connected.run(await cryptoListener({ url, pairs: new Map([['BTC', PAIR]]), board: connected.board }));
  await until(() => connected.lines.length >= 2);
  assert.match(connected.lines[0]!, /lost \(.*ECONNREFUSED.*\)/);
  server = await KrakenServer.start(Number(new URL(url).port));
  await until(() => server.openSockets === 1);
  const startedMs = performance.now();
  await connected.stop();
  assert.ok(performance.now() - startedMs < 20_000);
  await until(() => server.openSockets === 0);
});
