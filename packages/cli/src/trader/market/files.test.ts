import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Trade } from '@venue/protocol';
import { parquetReadObjects } from 'hyparquet';
import { DAY, type FinishedDay, nextDay } from '../../../../exchange/test/finished-day.ts';
import { byteCount } from '../../terminal/byte-count.ts';
import { runFilesCommand } from './files.ts';
import { writeTradesParquet } from './trades-parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-cli-files-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('venue files (FIL-1)', () => {
  let day: FinishedDay;
  before(async () => {
    day = await nextDay(folder);
  });
  after(() => day.venue.exchange.stop());
  const run = (options: Parameters<typeof runFilesCommand>[0]) =>
    runFilesCommand({ url: day.venue.url, json: true, ...options });

  it('downloads the days that a folder lacks, and what is damaged there', async () => {
    const into = join(folder, 'into');
    await run({ into });
    const served = join(day.files, DAY);
    const names = readdirSync(join(into, DAY));
    assert.deepEqual(
      names,
      readdirSync(served).filter((name) => !name.startsWith('.')),
    );
    for (const name of names)
      assert.deepEqual(readFileSync(join(into, DAY, name)), readFileSync(join(served, name)));
    const { mtimeMs } = statSync(join(into, DAY, 'trades.csv'));
    writeFileSync(join(into, DAY, 'candles-1m.csv'), 'damaged');
    await run({ into });
    assert.equal(statSync(join(into, DAY, 'trades.csv')).mtimeMs, mtimeMs);
    assert.deepEqual(
      readFileSync(join(into, DAY, 'candles-1m.csv')),
      readFileSync(join(served, 'candles-1m.csv')),
    );
  });

  it('downloads the format and the days that are asked for', async () => {
    const into = join(folder, 'parquet');
    await run({ into, format: 'parquet', from: '2026-03-03' });
    assert.ok(!existsSync(into));
    await run({ into, format: 'parquet', from: DAY, to: DAY });
    const names = readdirSync(join(into, DAY));
    assert.deepEqual(names, ['SHA256SUMS', 'candles-1m.parquet', 'settlements.parquet', 'trades.parquet']);
  });

  it('leaves nothing of a file that the venue cannot send', async () => {
    const into = join(folder, 'damaged');
    const place = join(day.files, DAY, 'candles-1m.csv');
    const { size } = statSync(place);
    writeFileSync(place, 'x'.repeat(size));
    await assert.rejects(run({ into, format: 'csv' }));
    assert.ok(!existsSync(join(into, DAY, 'candles-1m.csv')));
    assert.ok(!existsSync(join(into, DAY, 'candles-1m.csv.part')));
  });

  it('refuses what it cannot do before it asks for anything', async () => {
    await assert.rejects(run({ format: 'xls', into: 'x' }), /--format is one of csv, parquet, not "xls"/);
    await assert.rejects(run({ format: 'csv' }), /--format needs --into/);
    await assert.rejects(run({ from: '2026-03-03', to: DAY }), /--from is after --to/);
    await assert.rejects(run({ from: 'monday' }), /--from/);
  });
});

it('FIL-1: trades in Parquet are those that came, and a failure leaves no file', async () => {
  const path = join(folder, 'trades.parquet');
  const trade = {
    id: 12,
    seriesId: 'BTC-1795827600-C-92000',
    price: 0.5,
    qty: 2,
    side: 'buy',
    ts: 1_764_374_400_123,
  } as const;
  async function* trades(fails: boolean): AsyncGenerator<Trade> {
    yield trade;
    yield { ...trade, self: true };
    if (fails) throw new Error('lost');
  }
  await assert.rejects(writeTradesParquet(path, trades(true)), /lost/);
  assert.deepEqual([existsSync(path), existsSync(`${path}.part`)], [false, false]);
  assert.equal(await writeTradesParquet(path, trades(false)), 2);
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { ts, id, ...rest } = trade;
  const row = { ...rest, id: BigInt(id), symbol: 'BTC', time: new Date(ts) };
  const rows = [0n, 1n].map((self) => ({ ...row, self }));
  assert.deepEqual(await parquetReadObjects({ file }), rows);
  await assert.rejects(writeTradesParquet(join(folder, 'none', 'x'), trades(false)), /cannot be written/);
});

it('FIL-1: a download shows its progress on a terminal, and takes it away', async () => {
  let shown = '';
  const write = (text: string) => {
    shown += text;
    return true;
  };
  const output = { isTTY: true, write };
  async function* parts() {
    yield new Uint8Array(1_000_000);
    yield new Uint8Array(500_000);
  }
  await Array.fromAsync(byteCount('trades.csv', 3_000_000, parts(), output));
  assert.equal(shown, '\r\x1b[Ktrades.csv: 1.0 of 3.0 MB\r\x1b[K');
});
