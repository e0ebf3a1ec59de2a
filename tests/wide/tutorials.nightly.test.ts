/** The tutorials as a reader types them, one after another, on the market of `npm start` on a bare Debian 13. */

// @seconds 480

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newYorkDay } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { Launched, QUIET_MARKET, QUOTES_STAND } from '../e2e/launched.ts';
import { blocksOf, commandsOf, ROOT } from '../e2e/shell-blocks.ts';
import { CleanRoot, skipWithoutCleanRoot } from './clean-root.ts';
import { blocksUnder } from './drills-machine.ts';

const MINUTE_MS = 60_000;
/** `npm start` installs what is missing. */
const INSTALL_LIMIT_MS = 10 * MINUTE_MS;
const CLONE = '/root/venue';
/** Before the next expiry, which is that of the pages, in which it is not quoted to its end. */
const UNQUOTED_MS = 30 * MINUTE_MS;
/** A series of the pages, which lists those of its own day. */
const SERIES = /BTC-\d+-C-95000/;
/** A day of the pages likewise. */
const DAY = /(?<=--expiry )\S+/;

function pageOf(name: string): string {
  return readFileSync(join(ROOT, `docs/tutorials/${name}.md`), 'utf8');
}

/** The commands of a page, a list for each block. */
function commandsIn(name: string): string[][] {
  return blocksOf(name, pageOf(name)).map(commandsOf);
}

describe('the tutorials, as they stand', { concurrency: 1, skip: await skipWithoutCleanRoot() }, () => {
  const [START = [], PROGRAM = [], SHELL = [], BUY = []] = commandsIn('first-trade');
  let root: CleanRoot;
  let market: Launched;
  let url = '';
  let secondDay = '';

  before(async () => {
    assert.deepEqual(START, ['npm start']);
    root = await CleanRoot.create('trixie');
    await root.type(blocksUnder('how-to/deploy.md', 'On Debian 13').join('\n'));
    await root.type(`git clone --quiet "$SOURCE" ${CLONE}`);
    const entry = root.entry(
      { VENUE_PORT: '0', VENUE_SYMBOLS: 'BTC:crypto', ...QUIET_MARKET },
      { folder: CLONE },
    );
    market = new Launched([], { env: {}, npm: true, entry });
    [, url = ''] = await market.says(/exchange listening on (\S+)/, INSTALL_LIMIT_MS);
    await market.says(QUOTES_STAND);
    const leftMs = (await expiries())[0]! * 1_000 - Date.now();
    if (leftMs < UNQUOTED_MS) await sleep(leftMs + MINUTE_MS);
    secondDay = newYorkDay((await expiries())[1]! * 1_000);
  });
  after(async () => {
    market?.interrupt();
    const status = await market?.exits();
    root?.remove();
    assert.equal(status, 0, 'Ctrl-C is a clean stop');
  });

  async function expiries(): Promise<number[]> {
    const series = await new VenueClient({ url }).market.series('BTC');
    return [...new Set(series.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
  }

  /** The output of commands of a page, of which every one ends with 0. */
  function typed(commands: readonly string[] = []): Promise<string> {
    const script = commands.map((command) =>
      command.replace(/(examples\/[\w-]+\.ts)$/, `$1 ${url}`).replace(DAY, secondDay),
    );
    return root.type(`cd ${CLONE}\n${script.join('\n')}`, { VENUE_URL: url });
  }

  test('first trade: from a program, and from a shell', async () => {
    assert.match(await typed(PROGRAM), /^buy 0\.1 BTC-\d+-C-\d+: filled$/m);
    const chain = (await typed(SHELL)).split(/^(?=BTC at )/m)[1]!.split('\n');
    const [, series] = /a series is (BTC-\d+-C)-STRIKE/.exec(chain[2]!)!;
    assert.ok(chain.some((line) => line.includes(' 95000 ')));
    const bought = await typed(BUY.map((command) => command.replace(SERIES, `${series}-95000`)));
    assert.match(bought, /^status +filled$/m);
    assert.match(bought.split(/^status.*$/m)[1]!, new RegExp(`^${series}-95000 `, 'm'));
  });

  test('first spread: turned on, looked at, traded, and left again', async () => {
    const [turnOn, list, look, trade, leave] = commandsIn('first-spread');
    await typed(turnOn);
    assert.match((await typed(list)).split('\n')[2]!, new RegExp(`\\b${secondDay}\\b`));
    const [, shown = ''] = /^```\n(premium received[\s\S]*?)^```$/m.exec(pageOf('first-spread'))!;
    const labels = [...shown.matchAll(/^(.+?) {2,}/gm)].map(([, label]) => label!);
    const seen = await typed(look);
    assert.ok(labels.length > 4);
    for (const label of labels) assert.match(seen, new RegExp(`^${label} `, 'm'));
    assert.match(await typed(trade), /^status +filled\n[\s\S]*^group .*\nBTC \S/m);
    assert.match(await typed(leave), /^positions +\d\n[\s\S]*^status +filled$/m);
  });

  test('first bot', async () => {
    const lines = (await typed(commandsIn('first-bot')[0])).trim().split('\n');
    assert.equal(lines.filter((line) => /^bid [\d.]+ for 0\.1 BTC-\d+-C-\d+: rested$/.test(line)).length, 5);
    assert.equal(lines.at(-1), 'cancelled 1; cash 100000');
  });

  test('first venue with real money: every step prints what the page says', async () => {
    const [demo, helps] = commandsIn('real-money');
    for (const command of helps!) assert.match(await typed([command]), /^Usage: venue /);
    const said = await typed(demo);
    const steps = pageOf('real-money').matchAll(/^\| \d+ \| (.+?) \|/gm);
    const prints = [...steps].flatMap(([, cell]) => [...cell!.matchAll(/`(.+?)`/g)].map(([, text]) => text!));
    assert.ok(prints.length > 10);
    for (const text of prints)
      assert.match(said, new RegExp(text.split('…').map(RegExp.escape).join('.*')), text);
  });
});
