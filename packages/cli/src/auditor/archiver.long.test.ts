/** A running node moves old entries out of its log (LOG-5). */

// @seconds 8

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyLog } from '@venue/audit';
import { besideLog, loadConfig, startExchange } from '@venue/exchange';
import { openLogReader } from '@venue/log';
import { VenueClient } from '@venue/sdk';
import { archivesIn, copyToArchive } from './archiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-archiving-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const log = `sqlite:${join(folder, 'venue.db')}`;
const archive = besideLog(log, 'archive')!;

function start() {
  const env = {
    VENUE_LOG: log,
    VENUE_PORT: '0',
    VENUE_FEED_TOKEN: 'feed',
    VENUE_SYMBOLS: 'BTC:crypto',
    VENUE_STRIKES_PER_SIDE: '1',
    VENUE_LOG_LEVEL: 'silent',
    VENUE_MAINTENANCE_MS: '100',
    VENUE_ARCHIVE_MS: '1000',
  };
  return startExchange(loadConfig(env), { copyToArchive });
}

test('LOG-5: entries that no start needs leave for files beside the log, which verify joins with it', async () => {
  const exchange = await start();
  const feed = new VenueClient({ url: exchange.url }).feed('feed');
  for (let price = 100_000; archivesIn(archive).length < 2; price += 1) {
    await feed.prints([{ symbol: 'BTC', source: 'a', price }]);
    await sleep(20);
  }
  await exchange.stop();
  const { facts } = await verifyLog({ log, archives: archivesIn(archive) });
  assert.deepEqual([facts.fault, facts.entries?.fromSeq], [null, 1]);
  const alone = await verifyLog({ log });
  assert.equal(alone.facts.fault, null);
  assert.ok(alone.facts.entries!.fromSeq > 1, 'the log alone begins later');
});

test('LOG-5: what a killed node left of a copy is written again, and drafts are cleared away', async () => {
  const [first] = archivesIn(archive);
  const draft = join(archive, '000000000009.zst.1a2b3c4d.part');
  // Where verification of the log alone begins is later, if its snapshots are newer than what was moved.
  const reader = await openLogReader(log);
  const firstSeq = (await reader.chainStart()).seq + 1;
  await reader.close();
  const leftover = join(archive, `${String(firstSeq).padStart(12, '0')}.zst`);
  for (const path of [draft, leftover]) writeFileSync(path, 'half');
  const { signal } = new AbortController();
  // The newest snapshots are too new for anything to leave, or it leaves: either way the rubbish does not stay.
  await copyToArchive({ log, folder: archive, firstSeq, signal });
  assert.equal(existsSync(draft), false);
  const { facts } = await verifyLog({ log, archives: archivesIn(archive) });
  assert.equal(facts.fault, null);
  assert.ok(existsSync(first!));
});

test('a folder that is not there has no archives', () => {
  assert.deepEqual(archivesIn(join(folder, 'nowhere')), []);
});
