// @seconds 7

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start as startHistory } from '../../test/history-starts.ts';
import { Traded } from '../../test/movements.ts';
import { naiveDays } from '../../test/naive-day.ts';
import { waitFor } from '../../test/support.ts';
import { DailyFiles } from './daily-files.ts';

const root = mkdtempSync(join(tmpdir(), 'venue-daily-'));
after(() => rmSync(root, { recursive: true, force: true }));

interface Node {
  readonly files: DailyFiles;
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

async function start(market: Traded, name: string, folder = join(root, `${name}-files`)): Promise<Node> {
  const lines: string[] = [];
  const say = (...words: unknown[]) => lines.push(String(words.at(-1)));
  const history = join(root, `${name}.db`);
  const started = await startHistory(market, history);
  const logger = { info: say, warn: say, error: say };
  const files = new DailyFiles({ folder, history, logger, lookEveryMs: 10, retryMs: 20 });
  files.start({ state: market.state, history: started.history, log: market.log });
  const stop = async () => {
    await files.stop();
    await started.store.close();
  };
  return { files, lines, stop };
}

const namesOf = ({ files }: Node) => files.days.map(({ day }) => day);
const until = (isSo: () => boolean) => waitFor(async () => isSo() || undefined);

async function untilAll(node: Node, { log }: Traded): Promise<void> {
  const { size } = await naiveDays(log);
  await until(() => node.files.days.length === size);
}

async function traded(seed: number, entries: number): Promise<Traded> {
  const market = await Traded.begin(seed, false);
  await market.trade(entries);
  return market;
}

/** The first seed whose market has traded as many whole days by either entry: which ones do depends on the generator. */
async function seedOfDay(entries: number, more: number): Promise<number> {
  const daysBy = async (seed: number, until: number) =>
    (await naiveDays((await traded(seed, until)).log)).size;
  for (let seed = 1; seed <= 50; seed++) {
    const days = await daysBy(seed, entries);
    if (days > 0 && (await daysBy(seed, more)) === days) return seed;
  }
  throw new Error('no seed trades for a whole day');
}

describe('the daily files of a node (FIL-1)', () => {
  let seed: number;

  before(async () => {
    seed = await seedOfDay(290, 300);
  });

  it('are rebuilt if they are of another log, as after a restore from an older copy', async () => {
    const folder = join(root, 'files');
    const one = await traded(seed, 300);
    const first = await start(one, 'first', folder);
    await untilAll(first, one);
    await first.stop();
    const [day] = namesOf(first);
    const kept = readFileSync(join(folder, day!, 'candles-1m.csv'));
    const other = await traded(seed, 290);
    const second = await start(other, 'second', folder);
    await untilAll(second, other);
    assert.match(second.lines.join(), /made the files of a day/);
    assert.deepEqual(readFileSync(join(folder, day!, 'candles-1m.csv')), kept);
    await second.stop();
    const again = await start(other, 'second', folder);
    await untilAll(again, other);
    assert.deepEqual(again.lines, []);
    await again.stop();
  });

  it('are tried again with one line, while trading goes on, when the disk refuses them', async () => {
    const folder = join(root, 'no-folder');
    writeFileSync(folder, '');
    const node = await start(await traded(seed, 300), 'refused', folder);
    await until(() => node.lines.length > 0);
    assert.match(node.lines[0]!, /^the daily files cannot be made \(.+\); trying again every 0.02 s$/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(node.lines.length, 1);
    rmSync(folder);
    await until(() => node.files.days.length > 0);
    await until(() => node.lines.includes('the daily files are made again'));
    await node.stop();
  });

  it('leave no thread and no half day behind when the node stops in the middle', async () => {
    const market = await traded(seed, 300);
    const node = await start(market, 'stopped');
    await node.stop();
    const again = await start(market, 'stopped');
    await untilAll(again, market);
    assert.deepEqual(readdirSync(join(root, 'stopped-files')), namesOf(again));
    await again.stop();
  });
});
