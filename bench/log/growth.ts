/**
 * Question: how many bytes a minute does the log grow by when a full symbol is requoted four times a second, and how
 * long does a start take after such a minute, without and with a snapshot? Three minutes, each on a fresh exchange:
 * everything changes every time; the real maker follows the simulated feed; nothing moves.
 */

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeCommand } from '../../packages/engine/src/index.ts';
import { Connection, Exchange, pushOf, rowsOf, SERIES, withFolder } from '../shared/exchange.ts';

const MINUTE_MS = 60_000;
const PUSH_EVERY_MS = 250;
const QUOTES_LIMIT_MS = 30_000;

/** One minute on a freshly started exchange, and what was sent in it. */
type Minute = (exchange: Exchange) => Promise<Grown>;

const MINUTES: Readonly<Record<string, Minute>> = {
  'all 1,312 series change': (exchange) => pushFor(exchange, (n) => n & 1),
  'maker and simulated feed': followFeed,
  'nothing moves': (exchange) => pushFor(exchange, () => 0),
};

/** Prints what each minute added to the log and how long a start on it takes; throws when a result is wrong. */
export async function run(): Promise<void> {
  await withFolder(async (folder) => {
    const rows = [];
    for (const [name, minute] of Object.entries(MINUTES)) {
      const logPath = join(folder, `${rows.length}.db`);
      rows.push({ case: name, ...(await measure(logPath, minute)) });
    }
    console.table(rows);
  });
}

async function measure(logPath: string, minute: Minute) {
  const exchange = await Exchange.start(logPath);
  try {
    const grown = await minute(exchange);
    await exchange.kill();
    return { ...grown, ...(await starts(logPath)) };
  } finally {
    exchange.end();
  }
}

/** The first start replays the whole log; a clean stop then leaves a snapshot for the second. */
async function starts(logPath: string) {
  const replayed = await Exchange.start(logPath);
  await replayed.stop();
  const restored = await Exchange.start(logPath);
  await restored.kill();
  return {
    'start, replay ms': Math.round(replayed.startMs),
    'start, snapshot ms': Math.round(restored.startMs),
    'file MiB': mib(statSync(logPath).size),
  };
}

/** The contents of a log at one moment. */
interface Reading {
  readonly entries: number;
  readonly quoteBytes: number;
  readonly otherBytes: number;
  readonly fileBytes: number;
}

interface Grown {
  readonly 'rows sent': number;
  readonly entries: number;
  readonly 'quotes MiB': number;
  readonly 'other MiB': number;
  readonly 'log MiB a minute': number;
}

/** Reads the log before and after the minute, while the exchange writes it. */
async function grownBy({ logPath }: Exchange, minute: () => Promise<number>): Promise<Grown> {
  const before = readLog(logPath);
  const rows = await minute();
  const after = readLog(logPath);
  return {
    'rows sent': rows,
    entries: after.entries - before.entries,
    'quotes MiB': mib(after.quoteBytes - before.quoteBytes),
    'other MiB': mib(after.otherBytes - before.otherBytes),
    'log MiB a minute': mib(after.fileBytes - before.fileBytes),
  };
}

/** Counts database pages, both in the file and in the write-ahead log. */
function readLog(path: string): Reading {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const bytes = (where: string) =>
      Number(db.prepare(`SELECT coalesce(sum(octet_length(body)), 0) AS n FROM log WHERE ${where}`).get()!.n);
    const pragma = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()![name]);
    return {
      entries: Number(db.prepare('SELECT count(*) AS n FROM log').get()!.n),
      quoteBytes: bytes(`kind = 'quotes'`),
      otherBytes: bytes(`kind <> 'quotes'`),
      fileBytes: pragma('page_count') * pragma('page_size'),
    };
  } finally {
    db.close();
  }
}

/** Pushes the whole symbol at planned times, each push in its variant. */
async function pushFor(exchange: Exchange, variantOf: (n: number) => number): Promise<Grown> {
  const series = await exchange.list();
  const pushes = [0, 1].map((variant) => pushOf('binary', rowsOf(series, variant)));
  const connection = new Connection(exchange.url, await exchange.maker());
  await connection.push(pushes[variantOf(-1)]!);
  try {
    return await grownBy(exchange, async () => {
      const startMs = performance.now();
      const count = MINUTE_MS / PUSH_EVERY_MS;
      for (let n = 0; n < count; n++) {
        await sleep(Math.max(0, startMs + n * PUSH_EVERY_MS - performance.now()));
        const { applied, kept, errors } = await connection.push(pushes[variantOf(n)]!);
        const expected = variantOf(n) === variantOf(n - 1) ? [0, SERIES] : [SERIES, 0];
        assert.deepEqual([applied, kept, errors], [...expected, 0]);
      }
      assert.ok(performance.now() - startMs < MINUTE_MS + PUSH_EVERY_MS, 'the pushes kept to their times');
      return count * SERIES;
    });
  } finally {
    connection.close();
  }
}

/** The real maker on the real feed, simulated with a seed; its initial full push is not counted. */
async function followFeed(exchange: Exchange): Promise<Grown> {
  exchange.launch('feed', '--seed', '7');
  await exchange.series();
  const maker = exchange.launch('maker');
  await maker.says(/quotes stand/, QUOTES_LIMIT_MS);
  await sleep(PUSH_EVERY_MS * 8);
  return grownBy(exchange, async () => {
    const before = loggedRows(exchange.logPath);
    await sleep(MINUTE_MS);
    return loggedRows(exchange.logPath) - before;
  });
}

/** Total rows over all pushes in the log. */
function loggedRows(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const bodies = db.prepare(`SELECT body FROM log WHERE kind = 'quotes'`).all();
    return bodies.reduce((sum, { body }) => sum + rowsIn(body as Uint8Array), 0);
  } finally {
    db.close();
  }
}

function rowsIn(body: Uint8Array): number {
  const command = decodeCommand('quotes', body);
  return command.kind === 'quotes' ? command.rows.length : 0;
}

function mib(bytes: number): number {
  return Number((bytes / 2 ** 20).toFixed(2));
}
