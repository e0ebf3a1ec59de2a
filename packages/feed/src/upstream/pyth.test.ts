import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { HermesServer } from '../../test/hermes-server.ts';
import { Connected, until } from '../../test/upstream.ts';
import { PYTH_SOURCES, pythListener } from './pyth.ts';

const AAPL = 'a1'.repeat(32);
const AAPL_POST = 'a2'.repeat(32);
const SPX = 'b1'.repeat(32);
const { low, high } = PYTH_SOURCES;

let server: HermesServer;
let connected: Connected;

beforeEach(async () => {
  server = await HermesServer.start();
  connected = new Connected();
});

afterEach(async () => {
  await connected.stop();
  await server.stop();
});

const IDS = new Map([['AAPL', [AAPL, AAPL_POST]]]);

async function connect({
  symbols = ['AAPL'],
  ids = IDS as ReadonlyMap<string, string[]>,
  silenceMs = 60_000,
  token = '',
} = {}) {
  const { board, log } = connected;
  const options = { url: server.url, symbols, ids, board, log, ...(token === '' ? {} : { token }) };
  connected.run(pythListener(options), silenceMs);
  await until(() => server.openStreams > 0);
}

async function warm(): Promise<void> {
  await until(
    () => connected.price(low) === 228.12 && connected.price(high) === 228.12,
    () => server.price({ id: AAPL, price: '22812000' }),
  );
  connected.board.report();
}

test('the two ends of the confidence interval are the sources, rounded to the micro', async () => {
  await connect();
  await warm();
  server.price({ id: AAPL, price: '22800000001', conf: '10000000', expo: -8 });
  await until(() => connected.price(low) === 227.9 && connected.price(high) === 228.1);
  assert.deepEqual(connected.lines, ['up: connected']);
});

test('a repeated slot, old and future publish times, and absurd prices are dropped', async () => {
  await connect();
  await warm();
  const nowS = Math.floor(Date.now() / 1_000);
  server.price({ id: AAPL, price: '22813000', slot: 9_000_001 });
  server.price({ id: AAPL, price: '22814000', slot: 9_000_001, publishTime: nowS });
  server.price({ id: AAPL, price: '22814000', publishTime: nowS - 7_200 });
  server.price({ id: AAPL, price: '22814000', publishTime: nowS + 7_200 });
  for (const price of ['0', '-22812000', '99999999999999999999', 'NaN', '1'])
    server.price({ id: AAPL, price });
  server.price({ id: AAPL, price: '22812000', conf: '9000000' });
  server.price({ id: AAPL, price: '22812000', expo: 400 });
  server.price({ id: SPX, price: '590000000' });
  server.price({ id: AAPL, price: '22815000' });
  await until(() => connected.price(low) === 228.15);
  const report = connected.board.report();
  for (const part of [
    '1 history',
    '1 future',
    '2 not positive',
    '2 not a number',
    '1 uncertain',
    '1 not representable',
  ])
    assert.match(report, new RegExp(part));
});

test('a symbol may have a feed for each session; the current one is its price', async () => {
  await connect();
  await warm();
  const nowS = Math.floor(Date.now() / 1_000);
  server.price(
    { id: AAPL_POST, price: '22900000', publishTime: nowS },
    { id: AAPL, price: '22812000', publishTime: nowS - 3_600 },
  );
  await until(() => connected.price(low) === 229);
});

test('garbage is counted, and does no harm', async () => {
  await connect();
  await warm();
  for (const text of ['{', 'hello', '{"parsed":[{"id":1}]}', '[]', 'null']) server.event(text);
  server.price({ id: AAPL, price: '22816000' });
  await until(() => connected.price(low) === 228.16);
  assert.match(connected.board.report(), /5 garbled/);
  assert.deepEqual(connected.lines, ['up: connected']);
});

test('ids that are not given are looked up by name, in every session of the market', async () => {
  server.feeds.set(`0x${AAPL}`, 'Equity.US.AAPL/USD').set(AAPL_POST, 'Equity.US.AAPL/USD.POST');
  server.feeds.set('c1'.repeat(32), 'Crypto.AAPLX/USD');
  await connect({ symbols: ['AAPL', 'SPX'], ids: new Map() });
  assert.deepEqual(server.ids.toSorted(), [AAPL, AAPL_POST]);
  assert.deepEqual(connected.lines, [
    'pyth: AAPL is Equity.US.AAPL/USD, Equity.US.AAPL/USD.POST',
    'pyth: no feed Equity.US.SPX/USD; name its id in VENUE_PYTH_IDS',
  ]);
});

test('a stream that ends, a silent one and a refused one are reopened', async () => {
  await connect({ silenceMs: 1_000, token: 'key' });
  assert.equal(server.authorization, 'Bearer key');
  await warm();
  server.cut();
  await until(() => server.connections >= 2 && server.openStreams === 1);
  await until(
    () => connected.price(low) === 228.17,
    () => server.price({ id: AAPL, price: '22817000' }),
  );
  await until(() => connected.lines.some((line) => line.includes('lost (no message for 1 s)')));
  server.status = 429;
  server.cut();
  await until(() => connected.lines.some((line) => /lost \(.*429.*\), reconnecting/.test(line)));
  server.status = 200;
  await until(() => server.openStreams === 1);
});

test('the end closes the stream', async () => {
  await connect();
  await connected.stop();
  await until(() => server.openStreams === 0);
});
