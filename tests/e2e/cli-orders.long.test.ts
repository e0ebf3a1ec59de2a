/** A trader's orders by the real command on a real paper market: flags, amends, closes, batches and guards. */

// @process cli
// @seconds 32

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import {
  type Account,
  type Chain,
  type PlainOrderRecord,
  parseSeriesId,
  type QuoteSet,
  type Simulation,
} from '@venue/protocol';
import type { ComboResult, PlaceResult } from '@venue/sdk';
import { type Ended, start } from './cli-command.ts';
import { cliMarket, command } from './cli-market.ts';
import { eventually } from './launched.ts';

const market = cliMarket();
const { folder, home } = market;
let series: string;

before(async () => {
  await done('wallet new');
  await done('session approve');
  const found = await eventually('a call above the spot is offered and bid for', async () => {
    const { rows, spot } = await json<Chain>(`chain BTC --expiry ${market.expiryTs}`);
    return rows.filter(({ strike }) => strike > spot).find(({ call }) => call?.ask && call.bid)?.call;
  });
  series = found.seriesId;
});

function venue(words: string, input?: string): Promise<Ended> {
  return command(words.split(' '), { env: { VENUE_URL: market.url, VENUE_HOME: home }, input });
}

/** Like `venue`, for a command that must succeed. */
async function done(words: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await venue(words, input);
  assert.deepEqual([code, stderr], [0, ''], words);
  return stdout;
}

async function json<T>(words: string, input?: string): Promise<T> {
  return JSON.parse(await done(`${words} --json`, input));
}

/** Runs a command that must fail with a code, and returns its failure as JSON. */
async function failed(words: string, exit: number): Promise<{ error: string; code: string }> {
  const { code, stderr } = await venue(`${words} --json`);
  assert.equal(code, exit, `${words}: ${stderr}`);
  return JSON.parse(stderr);
}

test('an order has flags, a time in force and a name, and is amended and cancelled by it', async () => {
  await done(`buy ${series} 3 --limit 0.02 --post-only --expires 1h --client-id q-7`);
  const [order] = await json<PlainOrderRecord[]>('orders');
  assert.deepEqual([order!.clientId, order!.tif, order!.flag], ['q-7', 'gtd', 'post-only']);
  assert.ok(Math.abs(order!.expiresAt! - Date.now() - 3_600_000) < 60_000);
  assert.match(
    await done(`buy ${series} 3 --limit 0.02 --client-id q-7`),
    new RegExp(`^status +duplicate: .*"venue order ${order!.id}" shows the first$`, 'm'),
  );
  assert.match(
    await done('amend q-7 --qty 2 --price 0.03'),
    new RegExp(`^order +${order!.id}: amended to `, 'm'),
  );
  const amended = await json<PlainOrderRecord>('order q-7');
  assert.deepEqual([amended.id, amended.qty, amended.price], [order!.id, 2, 0.03]);
  assert.match(
    (await failed('amend q-7 --qty 1 --price 1000000', 1)).error,
    /^rejected: post-only would trade/,
  );
  assert.equal((await failed('amend nobody --qty 1', 1)).code, 'rejected');
  assert.equal(await done('cancel q-7'), 'order q-7 is cancelled\n');
  assert.equal((await failed('cancel q-7', 5)).code, 'nothing-to-cancel');
});

test('what leaves without a trade ends with 1', async () => {
  const fok = await failed(`buy ${series} 1 --limit 0.02 --tif fok`, 1);
  assert.equal(fok.code, 'rejected');
  const ioc = await failed(`buy ${series} 1 --limit 0.02 --tif ioc`, 1);
  assert.equal(ioc.code, 'not-filled');
});

test('an order at the market is bounded, and a position is closed', async () => {
  const bought = await done(`buy ${series} 0.1 --market --slippage 20`);
  assert.match(bought, /^order .*\(20 % above the best ask of [\d.]+\)$/m);
  assert.match(bought, /^status +filled$/m);
  assert.match(await done(`close ${series} --slippage 50`), /^status +filled$/m);
  assert.deepEqual((await json<Account>('account')).positions, []);
  const again = await failed(`close ${series}`, 5);
  assert.deepEqual(again, {
    error: `no position in ${series}: nothing to close`,
    code: 'nothing-to-close',
    exit: 5,
  });
});

test('a file of actions is carried out under one signature', async () => {
  const place = { type: 'place', seriesId: series, side: 'buy', qty: 1, price: 0.02 };
  const actions = [
    { ...place, clientId: 'a' },
    { ...place, clientId: 'b', postOnly: true },
    { type: 'amend', clientId: 'a', qty: 2 },
    { type: 'cancel', clientId: 'b' },
  ];
  const file = join(folder, 'actions.json');
  writeFileSync(file, JSON.stringify(actions));
  const { results } = await json<{ results: { type: string }[] }>(`batch ${file}`);
  assert.deepEqual(
    results.map(({ type }) => type),
    ['place', 'place', 'amend', 'cancel'],
  );
  const [left, ...others] = await json<PlainOrderRecord[]>('orders');
  assert.deepEqual([left!.clientId, left!.qty, others], ['a', 2, []]);
  const rows = await venue('batch -', JSON.stringify([{ ...place, tif: 'fok' }, { type: 'cancel-all' }]));
  assert.equal(rows.code, 1);
  assert.match(rows.stdout, /^1 .* rejected: /m);
  assert.match(rows.stdout, /^2 +cancel all orders +1 cancelled/m);
  assert.equal(rows.stderr, 'venue: 1 of 2 actions declined; the others were carried out\n');
  const malformed = await venue('batch -', JSON.stringify([place, { type: 'cancel' }]));
  assert.equal(malformed.code, 2);
  assert.match(malformed.stderr, /actions\[1\]\.orderId required; nothing was sent\n$/);
  assert.equal(await done('orders'), 'no orders rest\n');
});

test('QTS-3: a quote set is protected, pushed, listed and ended', async () => {
  assert.equal(await done('sets'), 'no quote sets\n');
  const rows = JSON.stringify([{ seriesId: series, bids: [[0.02, 1]] }]);
  const unknown = await venue('quote 1 - --json', rows);
  assert.equal(unknown.code, 1);
  assert.deepEqual(JSON.parse(unknown.stderr), {
    error: 'unknown set: "venue protect" makes it',
    code: 'unknown-set',
    exit: 1,
  });
  assert.equal(
    (await failed('protect 1 NOPE 5', 1)).error,
    'rejected: unknown series ("venue series SYMBOL" lists what is there)',
  );
  assert.match(
    await done('protect 1 btc 5 --window 500ms --delta 2.5 --frozen 1m30s'),
    /^set 1 is protected/,
  );
  assert.equal(await done('quote 1 -', rows), '1 changed, 0 stood already, 0 declined\n');
  const [set] = await json<QuoteSet[]>('sets');
  const { symbol, windowMs, qty, delta, frozenMs, quotes } = set!;
  assert.deepEqual([symbol, windowMs, qty, delta, frozenMs, quotes], ['BTC', 500, 5, 2.5, 90_000, 1]);
  assert.match(await done('sets'), /^ *1 +BTC +quoting +1 .* 500ms +1m30s /m);
  const crossing = await venue(
    'quote 1 -',
    JSON.stringify({ quotes: [{ seriesId: series, bids: [[100_000, 1]] }] }),
  );
  assert.deepEqual(
    [crossing.code, crossing.stderr],
    [1, 'venue: 1 of 1 row declined; the others were carried out\n'],
  );
  assert.match(crossing.stdout, new RegExp(`^row 1: ${series} post-only would trade$`, 'm'));
  assert.equal(await done('unfreeze 1'), 'set 1 is not frozen, and its allowance is whole\n');
  assert.equal(await done('protect 1 BTC 0'), 'set 1 is ended\n');
  assert.equal((await failed('unfreeze 1', 1)).error, 'rejected: unknown set ("venue sets" lists yours)');
  for (const words of ['protect 17 BTC 1', 'protect 1 BTC 1 --window 50ms', 'protect 1 BTC x', 'quote 0 -'])
    assert.equal((await failed(words, 2)).code, 'usage', words);
  assert.match(
    (await venue('quote 1 -', '{}')).stderr,
    /standard input is no list of rows like .*; nothing was sent/,
  );
});

test('CMB-1, DRM-1: a condor is sold in one order, locks its wider side, and is bought back', async () => {
  await done('margin on');
  await done('margin defined-risk');
  const { expiryTs } = parseSeriesId(series)!;
  const { rows, spot } = await json<Chain>(`chain BTC --expiry ${expiryTs}`);
  const quoted = (leg: Chain['rows'][number]['call']) => leg !== null && leg.bid !== null && leg.ask !== null;
  const all = rows.filter(({ call, put }) => quoted(call) && quoted(put)).map(({ strike }) => strike);
  const [low, high] = [all.filter((strike) => strike < spot), all.filter((strike) => strike > spot)];
  const strikes = [low.at(-2)!, low.at(-1)!, high[0]!, high[1]!];
  const width = Math.max(strikes[1]! - strikes[0]!, strikes[3]! - strikes[2]!);
  // By numbers, because the spot moves between one command and the next; at any price, because quotes do.
  const words = `${strikes.join(' ')} --expiry ${expiryTs} --qty 0.01 --net none`;
  const before = await json<Account>('account');
  assert.match(
    await done(`spread iron-condor BTC sell ${words} --preview`),
    /^at expiry +it can lose at most /m,
  );
  assert.equal((await json<ComboResult>(`spread iron-condor BTC sell ${words}`)).status, 'filled');
  const held = await json<Account>('account');
  const lockedMore = held.locked - before.locked;
  assert.ok(lockedMore >= 0.01 * width && lockedMore <= 0.01 * width + 0.000004, `${lockedMore} of ${width}`);
  const { curves } = await json<Simulation>('simulate --spot-shift -50');
  assert.equal(curves.find(({ symbol }) => symbol === 'BTC')!.prices.length, 41);
  assert.equal((await json<ComboResult>(`spread iron-condor BTC buy ${words}`)).status, 'filled');
  assert.equal((await json<Account>('account')).locked, before.locked);
  await done('margin per-leg');
});

test('a guard is set, removed, and kept until Ctrl-C', async () => {
  assert.match(await done('guard 10m'), /^all orders leave at .* UTC, unless /);
  assert.match(await done('account'), /^guard +all orders leave at .* UTC, in /m);
  assert.match(await done('guard off'), /^no guard: /);
  assert.equal((await json<Account>('account')).guardAt, null);
  const child = start(['guard', '5s', '--keep'], { env: { VENUE_URL: market.url, VENUE_HOME: home } });
  const ended = once(child, 'close');
  await eventually('the guard stands', async () => (await json<Account>('account')).guardAt !== null);
  const { guardAt } = await json<Account>('account');
  await eventually('the guard is renewed', async () => (await json<Account>('account')).guardAt! > guardAt!);
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
  assert.equal((await json<Account>('account')).guardAt, null);
});

test('ERR-1: a strike that is not listed is declined with the nearest that are', async () => {
  const unlisted = series.replace(/\d+$/, (strike) => `${Number(strike) + 1}`);
  const { error } = await failed(`buy ${unlisted} 1 --limit 1`, 1);
  assert.match(error, new RegExp(`^rejected: unknown series \\(the nearest listed are .*${series}.*\\)$`));
  assert.match(
    (await failed(`buy ${unlisted} 1 --market`, 1)).error,
    new RegExp(`^unknown series; the nearest .*${series}`),
  );
});

test('GRD-1: a guard that was not renewed in time says which orders left and when, and ends with a code of its own', async () => {
  const env = { VENUE_URL: market.url, VENUE_HOME: home };
  const restAndSleep = async (child: ChildProcess) => {
    assert.match(String(await once(child.stdout!, 'data')), /^guarded: /);
    const { orderId } = await json<PlaceResult>(`buy ${series} 2 --limit 0.02`);
    child.kill('SIGSTOP');
    await eventually('the order has left', async () => (await json<unknown[]>('orders')).length === 0);
    child.kill('SIGCONT');
    return orderId;
  };
  const child = start(['guard', '5s', '--keep'], { env });
  const [output, ended] = [text(child.stderr!), once(child, 'close')];
  const orderId = await restAndSleep(child);
  assert.deepEqual(await ended, [6, null]);
  const left = new RegExp(
    `not renewed in time: 1 order left.*\\n {2}order ${orderId}, buy 2 .* left at .* UTC\\n`,
  );
  assert.match(await output, left);
  const going = start(['guard', '5s', '--keep', '--go-on'], { env });
  const [told, end] = [text(going.stderr!), once(going, 'close')];
  await restAndSleep(going);
  const { guardAt } = await json<Account>('account');
  await eventually(
    'it is renewed',
    async () => ((await json<Account>('account')).guardAt ?? 0) > (guardAt ?? 0),
  );
  going.kill('SIGINT');
  assert.deepEqual([await end, /1 order left/.test(await told)], [[0, null], true]);
});

test('help of a command is one word away', async () => {
  for (const word of ['amend', 'close', 'batch', 'guard', 'protect', 'quote', 'buy'])
    assert.equal(await done(`help ${word}`), await done(`${word} --help`));
});
