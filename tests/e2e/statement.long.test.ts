/** One statement through kill -9, a start from a snapshot, a replay without its file, and damaged files. */

// @seconds 11

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import {
  type Json,
  openSession,
  type Session,
  signIn,
  type Trader,
  Venue,
} from '../../packages/exchange/test/support.ts';
import { Launched, newestSnapshot } from './launched.ts';

const FEED_TOKEN = 'feed-secret-feed-secret-feed-secret';
const MAKER_TOKEN = 'maker-secret-maker-secret-maker-secret';
const START_LINE = /exchange listening on (\S+)/;

const folder = mkdtempSync(join(tmpdir(), 'venue-statement-'));
const path = join(folder, 'venue.db');
const historyPath = join(folder, 'venue-history.db');
const env = {
  VENUE_PORT: '0',
  VENUE_LOG: `sqlite:${path}`,
  VENUE_SYMBOLS: 'BTC:crypto',
  VENUE_FEED_TOKEN: FEED_TOKEN,
  VENUE_MAKER_TOKEN: MAKER_TOKEN,
  VENUE_MAINTENANCE_MS: '100',
  VENUE_LOG_LEVEL: 'warn',
};
let launched: Launched | undefined;
after(() => {
  launched?.end();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<Venue> {
  launched = new Launched(['exchange'], { env });
  const [, url] = await launched.says(START_LINE);
  return new Venue(url!);
}

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  launched!.process.kill(signal);
  assert.equal(await launched!.exits(), signal === 'SIGTERM' ? 0 : null);
}

/** The owner's statement: checks that it adds up to the cash, and that the CSV has as many lines. */
async function statementOf(venue: Venue, { wallet }: Pick<Trader, 'wallet'>): Promise<Json> {
  const trader = await signIn(venue, wallet);
  const { body } = await venue.get('/v1/statement', trader);
  const { cash } = (await venue.get('/v1/me', trader)).body;
  assert.equal(body.closingBalance, cash);
  const micros = body.rows.reduce((sum: number, { change }: Json) => sum + Math.round(change * 1e6), 0);
  assert.equal(micros, Math.round(cash * 1e6));
  const headers = { 'x-paper-token': trader.token, accept: 'text/csv' };
  const csv = await (await fetch(`${venue.url}/v1/statement`, { headers })).text();
  assert.equal(csv.split('\r\n').length, body.rows.length + 2);
  const { rows, openingBalance, completeFrom } = body;
  return { rows, openingBalance, completeFrom };
}

/** Buys several times in a row, so that the kill that follows finds unwritten rows. */
async function buy(session: Session, venue: Venue, seriesId: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const order = await session.order({ seriesId, side: 'buy', qty: 0.1, price: 20 });
    assert.equal((await venue.post('/v1/order', order)).body.status, 'filled');
  }
}

test('a statement is the same after kill -9, from a snapshot, by replay, and from a missing, damaged or forged file', async () => {
  let venue = await start();
  await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
  const { seriesId, sid } = await venue.listed('BTC');
  const quote = () => venue.quote({ rows: [[sid, [], [[10.123457, 50]], 0.5, 0.4]] });
  await quote();
  const alice = await openSession(venue);
  await buy(alice, venue, seriesId, 40);
  const afterFirst = await statementOf(venue, alice);
  assert.equal(afterFirst.rows.length, 41);
  await buy(alice, venue, seriesId, 20);
  await end('SIGKILL');

  venue = await start();
  const afterKill = await statementOf(venue, alice);
  assert.equal(afterKill.rows.length, 61, 'what was acknowledged is in it');
  assert.deepEqual(afterKill.rows.slice(0, 41), afterFirst.rows);
  await end('SIGTERM');
  // A stop on a busy machine may leave no snapshot for want of time.
  for (let again = 0; again < 5 && newestSnapshot(path) === 0; again++) {
    await start();
    await end('SIGTERM');
  }
  const snapshot = newestSnapshot(path);
  assert.ok(snapshot > 0 && snapshot <= anchorOf(historyPath), 'the snapshot is no further');

  venue = await start();
  assert.deepEqual(await statementOf(venue, alice), afterKill, 'from the snapshot');
  await quote();
  await buy(alice, venue, seriesId, 5);
  const afterMore = await statementOf(venue, alice);
  await end('SIGKILL');
  for (const suffix of ['', '-wal', '-shm']) rmSync(historyPath + suffix, { force: true });

  venue = await start();
  assert.match(launched!.output, /the snapshot of entry \d+ is past the history, which ends with entry 0/);
  assert.deepEqual(await statementOf(venue, alice), afterMore, 'by replay from the first entry');
  await end('SIGTERM');

  writeFileSync(historyPath, randomBytes(40_000));
  venue = await start();
  assertPutAside('is damaged (file is not a database)', 1);
  assert.deepEqual(await statementOf(venue, alice), afterMore, 'in the place of a damaged file');
  await end('SIGTERM');

  forge(historyPath);
  venue = await start();
  assertPutAside('differs from the log (by 5000000 micros in the cash of account', 2);
  assert.deepEqual(await statementOf(venue, alice), afterMore, 'in the place of a forged file');
  await end('SIGTERM');
});

function assertPutAside(wrong: string, n: number): void {
  const lines = launched!.output.split('\n').filter((line) => line.includes(historyPath));
  assert.equal(lines.length, 1, launched!.output);
  assert.ok(lines[0]!.includes(`${historyPath} ${wrong}`), lines[0]!);
  const put = `was put aside as ${historyPath}.old-${n}; the history is rebuilt from the log`;
  assert.ok(lines[0]!.includes(put), lines[0]!);
  assert.ok(existsSync(`${historyPath}.old-${n}`));
}

function forge(path: string): void {
  using db = new DatabaseSync(path);
  db.exec('UPDATE movement SET balance = balance + 5000000');
}

function anchorOf(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true });
  return Number(db.prepare('SELECT max(seq) AS seq FROM anchor').get()!.seq);
}
