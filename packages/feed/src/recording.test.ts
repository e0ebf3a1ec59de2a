import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sampleCsv } from '../samples/generate.ts';
import { checkRecording, type ReplayOptions, replay } from './recording.ts';
import type { PriceTick } from './tick.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-feed-'));
after(() => rmSync(folder, { recursive: true }));

const SAMPLE = fileURLToPath(new URL('../samples/minutes.csv', import.meta.url));
const GOOD = ['ts,symbol,source,price', '1000,BTC,a,95000.5', '1000,BTC,b,95001', '1500,ETH,a,3300.05'];

function file(...lines: string[]): string {
  const path = join(folder, 'recording.csv');
  writeFileSync(path, lines.join('\n'));
  return path;
}

async function ticksOf(path: string, options?: ReplayOptions): Promise<PriceTick[]> {
  return Array.fromAsync(replay(path, options));
}

test('FEED-1: rows of the same millisecond are one tick, at their distance from the first', async () => {
  assert.deepEqual(await ticksOf(file(...GOOD)), [
    {
      atMs: 0,
      prints: [
        { symbol: 'BTC', source: 'sim:a', price: 95_000.5 },
        { symbol: 'BTC', source: 'sim:b', price: 95_001 },
      ],
    },
    { atMs: 500, prints: [{ symbol: 'ETH', source: 'sim:a', price: 3_300.05 }] },
  ]);
});

test('speed shortens the distances; a file from Windows and a trailing newline are fine', async () => {
  const [, second] = await ticksOf(file(`${GOOD.join('\r\n')}\r\n`), { speed: 2 });
  assert.equal(second!.atMs, 250);
  assert.equal(await checkRecording(file(...GOOD)), 3);
});

for (const [what, line, message] of [
  ['a missing column', '2000,BTC,95000', /:5: 4 columns expected, 3 found$/],
  ['a date instead of a ts', '2026-01-05,BTC,a,1', /:5: ts must be unix milliseconds, not "2026-01-05"$/],
  ['an earlier ts', '1400,BTC,a,1', /:5: ts 1400 is earlier than the row before$/],
  ['a symbol in lower case', '2000,btc,a,1', /:5: symbol .*"btc"$/],
  ['an empty source', '2000,BTC,,1', /:5: source .*""$/],
  ['a price in words', '2000,BTC,a,high', /:5: price .*"high"$/],
  ['a price of zero', '2000,BTC,a,0', /:5: price .*"0"$/],
  ['a negative price', '2000,BTC,a,-1', /:5: price .*"-1"$/],
  ['a price finer than a micro (NUM-2)', '2000,BTC,a,1.0000001', /:5: price .*"1.0000001"$/],
] as const) {
  test(`${what} is refused with its line`, async () => {
    await assert.rejects(checkRecording(file(...GOOD, line)), { name: 'RecordingError', message });
  });
}

test('a file without its header, without prices, or that does not exist is refused', async () => {
  await assert.rejects(
    checkRecording(file(...GOOD.slice(1))),
    /:1: the header must be ts,symbol,source,price$/,
  );
  await assert.rejects(checkRecording(file(GOOD[0]!)), /no prices$/);
  await assert.rejects(checkRecording(join(folder, 'none.csv')), /none\.csv: cannot be read \(ENOENT\)$/);
  await assert.rejects(checkRecording(folder), /cannot be read \(EISDIR\)$/);
});

test('the sample is what the simulator records, and replays', async () => {
  assert.equal(readFileSync(SAMPLE, 'utf8'), sampleCsv());
  const ticks = await ticksOf(SAMPLE);
  assert.deepEqual([ticks[0]!.atMs, ticks.at(-1)!.atMs], [0, 179_000]);
  assert.equal(new Set(ticks.flatMap(({ prints }) => prints.map(({ symbol }) => symbol))).size, 4);
});
