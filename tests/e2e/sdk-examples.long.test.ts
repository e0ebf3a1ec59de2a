/** The examples and the programs of docs/reference/sdk.md, run on real venues. */

// @seconds 37

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { eventually, Launched, QUIET_MARKET, QUOTES_STAND } from './launched.ts';
import { FaultyProxy } from './sdk-proxy.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LINES_MAX = 80;

const folder = mkdtempSync(join(tmpdir(), 'venue-sdk-examples-'));
let market: Launched;
let url: string;

before(async () => {
  const env = {
    VENUE_PORT: '0',
    VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`,
    VENUE_SYMBOLS: 'BTC:crypto',
    ...QUIET_MARKET,
  };
  market = new Launched(['up'], { env });
  [, url] = (await market.says(/exchange listening on (\S+)/)) as unknown as [string, string];
  await market.says(QUOTES_STAND);
});
after(() => {
  market?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A separate process and its output. */
class Program {
  output = '';
  readonly child;

  constructor(file: string, ...words: string[]) {
    this.child = spawn(process.execPath, [file, ...words], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        this.output += chunk;
      });
    }
  }

  says(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(`${pattern}`, () => pattern.exec(this.output)).catch((error) => {
      throw new Error(`${error.message}; output:\n${this.output}`);
    });
  }
}

test(`a bot of under ${LINES_MAX} lines quotes both sides, and hedges what others make it hold`, async (t) => {
  const source = readFileSync(join(ROOT, 'examples/hedged-quotes.ts'), 'utf8');
  const lines = source.trimEnd().split('\n').length;
  assert.ok(lines < LINES_MAX, `${lines} lines`);
  const bot = new Program('examples/hedged-quotes.ts', url, 'BTC');
  t.after(() => bot.child.kill('SIGKILL'));
  const taker = new VenueClient({ url });
  await taker.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await bot.says(/quotes (\S+) (\S+) \/ (\S+)\n/);
  const [, seriesId] = /quotes (\S+)/.exec(bot.output)!;
  const bought = await taker.orders.place({ seriesId: seriesId!, side: 'buy', qty: 0.05 });
  assert.equal(bought.status, 'filled');
  const asks = [...bot.output.matchAll(/ \/ (\S+)\n/g)].map(([, price]) => Number(price));
  assert.ok('fills' in bought && asks.includes(bought.fills[0]!.price), 'it met the bot');
  const [, delta, hedge] = await bot.says(/delta (-\S+): buys \S+ (\S+-C-\S+), filled\n/);
  assert.ok(Number(delta) < -0.01 && hedge !== seriesId);
  // After the sale back only the hedge is left, which is then hedged in turn.
  await eventually('a sale to the bot', async () => {
    const { positions } = await taker.account.me();
    const qty = positions[0]?.qty ?? 0;
    if (qty === 0) return true;
    await taker.orders.place({ seriesId: seriesId!, side: 'sell', qty });
    return false;
  });
  await bot.says(/delta (0\.\d+): buys \S+ \S+-P-\S+, filled\n/);
  bot.child.kill('SIGINT');
  const [code0] = await once(bot.child, 'close');
  assert.equal(code0, 0, bot.output);
  assert.equal(bot.output.match(/Error/), null, bot.output);
});

test('GRD-1: the bot waits out a 429 and lost answers, and its quotes leave soon after it is killed', async (t) => {
  const proxy = await FaultyProxy.start(url);
  const bot = new Program('examples/hedged-quotes.ts', proxy.url, 'BTC');
  t.after(() => {
    bot.child.kill('SIGKILL');
    proxy.stop();
  });
  const [, seriesId] = await bot.says(/quotes (\S+)/);
  const other = new VenueClient({ url });
  await other.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  // Nobody else quotes this quantity.
  const resting = async () => {
    const { bids, asks } = await other.market.book(seriesId!);
    return [...bids, ...asks].filter(({ qty }) => qty === 0.05).length;
  };
  const outbid = async () => {
    await other.orders.cancel();
    const [best] = (await other.market.book(seriesId!)).bids;
    const price = Math.round((best!.price + 0.01) * 100) / 100;
    await other.orders.place({ seriesId: seriesId!, side: 'buy', qty: 0.001, price });
  };
  await eventually('both quotes', async () => (await resting()) === 2);
  for (const fault of ['limit the rate', 'lose the answer', 'lose the request'] as const) {
    const before = bot.output.length;
    proxy.fail('/v1/batch', fault);
    await outbid();
    await eventually(`quotes after "${fault}"`, () => bot.output.indexOf('quotes BTC', before) > 0);
    await eventually('both quotes', async () => (await resting()) === 2);
  }
  bot.child.kill('SIGKILL');
  await eventually('no quotes', async () => (await resting()) === 0, 60_000);
});

test('the programs of the sdk page run unchanged', async () => {
  const page = readFileSync(join(ROOT, 'docs/reference/sdk.md'), 'utf8');
  const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  assert.ok(programs.length >= 3);
  for (const [i, code] of programs.entries()) {
    // In the tests' folder, where the sdk can be resolved.
    const file = join(ROOT, `tests/e2e/sdk-page-${process.pid}-${i}.ts`);
    writeFileSync(file, code.replaceAll('http://127.0.0.1:8080', url));
    try {
      const child = spawn(process.execPath, [file], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'close');
      const [, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      assert.deepEqual([(await ended)[0], err], [0, ''], code);
    } finally {
      rmSync(file);
    }
  }
});
