/** The real command on a venue with real money: nothing moves without a yes, and the question states the cost. */

// @process cli-alone
// @seconds 9

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Account, OrderAnswer, Payout } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { runInProcess } from '../../packages/cli/test/in-process.ts';
import {
  DEPOSITS,
  type LocalVenue,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  pricedVenue,
} from '../../packages/exchange/test/support.ts';
import { runOnTerminal } from './cli-command.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const home = mkdtempSync(join(tmpdir(), 'venue-live-'));

let venue: LocalVenue;
let env: Record<string, string>;
let series: string;
/** Quotes lapse while a busy machine works through the commands. */
let quote: () => Promise<unknown>;

before(async () => {
  venue = await pricedVenue(DEPOSITS);
  env = { VENUE_URL: venue.url, VENUE_HOME: join(home, 'venue') };
  const { seriesId, sid } = await venue.listed('BTC');
  series = seriesId;
  const maker = new VenueClient({ url: venue.url }).maker(MAKER_TOKEN);
  const { session } = await maker.session('cli');
  quote = () => maker.quotes(session, [[sid, [[9, 5]], [[10, 5]]]]);
  await quote();
  const { address } = await json<{ address: string }>('wallet new');
  // Known to the venue before the money arrives, which would otherwise be held (DEP-2).
  await json('session approve');
  const body = { address, amount: 100_000_000, txHash: HASH, logIndex: 1, blockNumber: 1, blockHash: HASH };
  const { status } = await venue.post('/v1/deposit', body, {
    headers: { 'x-operator-token': OPERATOR_TOKEN },
  });
  assert.equal(status, 200);
});

after(async () => {
  await venue?.exchange.stop();
  rmSync(home, { recursive: true });
});

const command = (words: string) => runInProcess(words.split(' '), env);
const typed = (words: string, answer: string, columns = 80) =>
  runOnTerminal(words.split(' '), { env, typed: answer, columns });

async function json<T>(words: string): Promise<T> {
  const { code, stdout, stderr } = await command(`${words} --json`);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const cash = async () => (await json<Account>('account')).cash;

test('without a terminal, a command that moves money is refused unless it has --yes', async () => {
  for (const words of [
    `buy ${series} 1 --limit 10`,
    `sell ${series} 1 --market`,
    'withdraw 5',
    'margin on',
  ]) {
    const { code, stdout, stderr } = await command(words);
    assert.deepEqual([code, stdout], [1, ''], words);
    assert.match(
      stderr,
      /^venue: \S+ holds real money and there is no terminal to ask on: nothing was sent; add --yes .*\n$/,
    );
  }
  const { cash: left, openOrderCount, marginEnabled } = await json<Account>('account');
  assert.deepEqual([left, openOrderCount, marginEnabled], [100, 0, false]);
});

test('on a terminal it shows the cost and asks; anything but yes sends nothing', async () => {
  for (const answer of ['n\n', '\n', 'sure\n']) {
    await quote();
    const { code, stdout } = await typed(`buy ${series} 1 --limit 10`, answer);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /holds real money\./);
    assert.match(stdout, /cash out.* 10\.05 USD\r\n/);
    assert.match(stdout, /Place this order\? \[y\/N\]/);
    assert.match(stdout, /venue: not confirmed: nothing was sent\r\n$/);
  }
  assert.equal(await cash(), 100);
});

test('a yes places the order', async () => {
  await quote();
  const { code, stdout } = await typed(`buy ${series} 1 --limit 10`, 'y\n');
  assert.equal(code, 0, stdout);
  assert.match(stdout, /status.* filled\r\n/);
  assert.equal(await cash(), 89.95);
});

test('--yes places it without asking', async () => {
  await quote();
  const { status } = await json<OrderAnswer>(`sell ${series} 1 --market --yes`);
  assert.equal(status, 'filled');
});

test('an order that would be declined is reported without a question', async () => {
  const { code, stdout } = await typed(`buy ${series} 1000 --limit 10`, 'y\n');
  assert.equal(code, 1);
  assert.match(stdout, /venue: rejected: insufficient buying power .*; nothing was sent\r\n$/);
  assert.doesNotMatch(stdout, /Place this order/);
});

test('PAY-1: a withdrawal states amount and wallet before it asks, and is listed', async () => {
  const before = await cash();
  const { code, stdout } = await typed('withdraw 5.25', 'yes\n');
  assert.equal(code, 0, stdout);
  assert.match(stdout, /withdraw.* 5\.25 USD\r\n/);
  assert.match(stdout, /to.* 0x[0-9a-f]{40}, the wallet of the account\r\n/);
  assert.equal(await cash(), Math.round((before - 5.25) * 1e6) / 1e6);
  const [payout] = await json<Payout[]>('payouts');
  assert.deepEqual([payout!.amountUsd, payout!.state], [5.25, 'requested']);
  const refused = await command('withdraw 5000 --yes');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^venue: insufficient withdrawable balance .*\n$/);
});

test('tables fit the terminal, in colour unless NO_COLOR is set', async () => {
  for (const columns of [40, 80, 160]) {
    const { stdout } = await typed('payouts', '', columns);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
    const lines = stdout.split('\r\n').map((line) => line.replace(/\x1b\[\d+m/g, ''));
    for (const line of lines) assert.ok(line.length <= columns, `${columns}: ${line}`);
  }
  assert.ok((await typed('payouts', '')).stdout.includes('\x1b['));
  env = { ...env, NO_COLOR: '1' };
  assert.ok(!(await typed('payouts', '')).stdout.includes('\x1b['));
  assert.ok(!(await command('payouts')).stdout.includes('\x1b['));
});

test('a typed key is not shown, and Ctrl-C ends a question with 130', async () => {
  const key = `${'12'.repeat(32)}`;
  const { code, stdout } = await typed('wallet import --profile typed', `${key}\n`);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /Private key .*not shown/);
  assert.match(stdout, /address .*0x[0-9a-f]{40}/);
  assert.ok(!stdout.includes(key));
  const interrupted = await typed(`buy ${series} 1 --limit 10`, '\x03');
  assert.equal(interrupted.code, 130, interrupted.stdout);
});
