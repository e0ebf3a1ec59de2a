import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { start as startHistory } from '../../test/history-starts.ts';
import { Traded } from '../../test/movements.ts';
import { naiveDays, plain } from '../../test/naive-day.ts';
import { snapshotOf } from '../snapshots/snapshots.ts';
import { doRound, type RoundNews, type RoundTask } from './round.ts';
import { DATA_FILES, SUMS_FILE, TABLE_NAMES } from './tables.ts';

const root = mkdtempSync(join(tmpdir(), 'venue-files-'));
after(() => rmSync(root, { recursive: true, force: true }));
let places = 0;
/** A seed whose trading reaches across several days early. */
const SEED = 11;
const ENTRIES = 600;
const newPlace = (name: string) => join(root, `${places++}-${name}`);

function round(history: string, folder: string, more: Partial<RoundTask> = {}): RoundNews[] {
  return [...doRound({ history, folder, anchor: '1 x\n', foreignAnchors: [], known: [], ...more })];
}

function madeIn(news: readonly RoundNews[]): string[] {
  return news.flatMap((one) => (one.kind === 'made' ? [one.day.day] : []));
}

/** Every file under a folder but those that are never served. */
function contentOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\/[^.]/.test(name)).sort();
  return new Map(files.map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]));
}

/** Trading over several days, and the file of its history. */
async function tradedDays(): Promise<{ traded: Traded; history: string }> {
  const traded = await Traded.begin(SEED, false);
  await traded.trade(ENTRIES);
  const history = newPlace('history.db');
  const started = await startHistory(traded, history);
  await started.history.durable(traded.state.seq);
  await started.store.close();
  return { traded, history };
}

function parquetOf(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

/** The lines of a Parquet file. The reader would make binary fractions of decimals, so it is given whole numbers of micros. */
async function linesOf(file: ArrayBuffer): Promise<string[]> {
  const metadata = parquetMetadata(file);
  const columns = metadata.schema.slice(1);
  const amounts = new Set(columns.filter((one) => one.converted_type === 'DECIMAL').map(({ name }) => name));
  for (const column of columns.filter(({ name }) => amounts.has(name))) {
    delete column.converted_type;
    delete column.logical_type;
  }
  const rows = await parquetReadObjects({ file, metadata });
  const names = columns.map(({ name }) => name);
  const fieldOf = (name: string, value: unknown) => {
    if (value === null || value === undefined) return '';
    if (value instanceof Date) return value.toISOString();
    return amounts.has(name) ? plain(Number(value)) : String(value);
  };
  return [names.join(), ...rows.map((row) => names.map((name) => fieldOf(name, row[name])).join())];
}

describe('the files of finished days (FIL-1)', () => {
  let venue: Awaited<ReturnType<typeof tradedDays>>;
  let folder: string;
  let content: Map<string, string>;
  before(async () => {
    venue = await tradedDays();
    folder = newPlace('files');
    round(venue.history, folder);
    content = contentOf(folder);
  });

  it('equal those that a naive reader of the log writes', async () => {
    const days = await naiveDays(venue.traded.log);
    assert.deepEqual(readdirSync(folder), [...days.keys()]);
    const lines = { trades: 0, 'candles-1m': 0, settlements: 0 };
    for (const [day, tables] of days)
      for (const table of TABLE_NAMES) {
        assert.equal(
          readFileSync(join(folder, day, `${table}.csv`), 'utf8'),
          tables[table],
          `${day} ${table}`,
        );
        lines[table] += tables[table].split('\n').length - 2;
      }
    for (const table of TABLE_NAMES) assert.ok(lines[table] > 3, `${table} ${lines[table]}`);
  });

  it('say the same in Parquet, with exact decimals and times in UTC', async () => {
    for (const day of readdirSync(folder))
      for (const table of TABLE_NAMES) {
        const file = parquetOf(join(folder, day, `${table}.parquet`));
        const csv = readFileSync(join(folder, day, `${table}.csv`), 'utf8');
        assert.equal([...(await linesOf(file)), ''].join('\n'), csv);
        const price = parquetMetadata(file).schema.find(({ name }) => name === 'price' || name === 'close')!;
        assert.deepEqual(price.logical_type, { type: 'DECIMAL', precision: 18, scale: 6 });
        assert.equal(price.type, 'INT64');
      }
  });

  it('stand beside the hashes that sha256sum -c reads', () => {
    for (const day of readdirSync(folder)) {
      const lines = readFileSync(join(folder, day, SUMS_FILE), 'utf8').split('\n');
      const expected = DATA_FILES.map(
        (name) => `${hash('sha256', readFileSync(join(folder, day, name)))}  ${name}`,
      );
      assert.deepEqual(lines, [...expected, '']);
    }
  });

  it('are the same bytes once they are made again', () => {
    const other = newPlace('files');
    round(venue.history, other);
    assert.deepEqual(contentOf(other), content);
    rmSync(join(other, readdirSync(other)[1]!), { recursive: true });
    assert.equal(madeIn(round(venue.history, other)).length, 1);
    assert.deepEqual(contentOf(other), content);
  });

  it('are the same bytes at a node that began from a snapshot, with what came before archived', async () => {
    const traded = await Traded.begin(SEED, false);
    await traded.trade(ENTRIES / 2);
    await traded.log.saveSnapshot(await snapshotOf(traded.state, traded.log));
    const { seq, ts } = traded.state;
    await traded.trade(ENTRIES / 2);
    assert.ok((await traded.log.dropBefore(seq)) > 1);
    const history = newPlace('history.db');
    const started = await startHistory(traded, history);
    await started.history.durable(traded.state.seq);
    await started.store.close();
    const other = newPlace('files');
    round(history, other);
    const began = new Date(ts).toISOString().slice(0, 10);
    const later = [...content].filter(([name]) => name.slice(0, 10) > began);
    assert.ok(later.length > 0 && later.length < content.size);
    assert.deepEqual([...contentOf(other)], later);
  });

  const HARMS: readonly (readonly [what: string, harm: (day: string) => void])[] = [
    ['with a byte changed', (day) => changeByte(join(day, 'trades.parquet'))],
    ['cut short', (day) => truncateSync(join(day, 'candles-1m.csv'), 10)],
    ['with a file missing', (day) => rmSync(join(day, 'settlements.csv'))],
    ['without hashes', (day) => rmSync(join(day, SUMS_FILE))],
    ['with hashes of nothing', (day) => writeFileSync(join(day, SUMS_FILE), '')],
    ['with a folder in the place of a file', (day) => replaceBy(join(day, 'trades.csv'), mkdirSync)],
    [
      'with a link in the place of a file',
      (day) => replaceBy(join(day, 'trades.csv'), (path) => symlinkSync(join(folder, '..'), path)),
    ],
  ];
  for (const [what, harm] of HARMS)
    it(`are made again, the same, when a day is ${what}`, () => {
      const other = newPlace('files');
      cpSync(folder, other, { recursive: true });
      const day = readdirSync(other)[1]!;
      harm(join(other, day));
      assert.deepEqual(madeIn(round(venue.history, other)), [day]);
      assert.deepEqual(contentOf(other), content);
      assert.deepEqual(madeIn(round(venue.history, other)), []);
    });

  it('are made in the place of a link, and not where it leads', () => {
    const [other, elsewhere] = [newPlace('files'), newPlace('elsewhere')];
    cpSync(folder, other, { recursive: true });
    const day = readdirSync(other)[1]!;
    cpSync(join(other, day), elsewhere, { recursive: true });
    rmSync(join(other, day), { recursive: true });
    symlinkSync(elsewhere, join(other, day));
    writeFileSync(join(elsewhere, 'trades.csv'), 'of somebody else');
    round(venue.history, other);
    assert.deepEqual(contentOf(other), content);
    assert.equal(readFileSync(join(elsewhere, 'trades.csv'), 'utf8'), 'of somebody else');
  });

  it('leave nothing half made: what a crash left is removed, and the day made whole', () => {
    const other = newPlace('files');
    cpSync(folder, other, { recursive: true });
    const day = readdirSync(other)[1]!;
    renameSync(join(other, day), join(other, `.making-${day}-77`));
    truncateSync(join(other, `.making-${day}-77`, 'trades.csv'), 5);
    assert.deepEqual(madeIn(round(venue.history, other)), [day]);
    assert.deepEqual(contentOf(other), content);
    assert.deepEqual(readdirSync(other), readdirSync(folder));
  });

  it('are not made of a day that lasts', () => {
    const today = new Date(venue.traded.state.ts).toISOString().slice(0, 10);
    assert.ok(!existsSync(join(folder, today)));
  });

  it('that were copied from another node are served where the history is too short for them', () => {
    const other = newPlace('files');
    const day = readdirSync(folder)[0]!;
    cpSync(join(folder, day), join(other, '2020-01-01'), { recursive: true });
    rmSync(join(other, '2020-01-01', '.anchor'));
    const found = round(venue.history, other).find(({ kind }) => kind === 'found');
    assert.equal(found?.kind === 'found' && found.day.day, '2020-01-01');
    rmSync(join(other, day, '.anchor'));
    assert.deepEqual(madeIn(round(venue.history, other)), [day]);
  });

  it('that are damaged and older than the history are not served, and left alone', () => {
    const other = newPlace('files');
    cpSync(folder, join(other, '2020-01-01'), { recursive: true });
    const lost = round(venue.history, other).filter(({ kind }) => kind === 'lost');
    assert.deepEqual(lost, [{ kind: 'lost', name: '2020-01-01' }]);
    assert.ok(existsSync(join(other, '2020-01-01')));
  });
});

function changeByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
}

function replaceBy(path: string, make: (path: string) => unknown): void {
  rmSync(path);
  make(path);
}
