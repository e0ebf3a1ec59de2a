// @process audit
// @seconds 4

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, it } from 'node:test';
import { type LogReader, openLog, openLogReader } from '@venue/log';
import { stampOf } from '@venue/replay';
import { newPath, SignedLog, tamper, trade } from '../../../exchange/test/signed-log.ts';
import { archives, assertFault, linesOf, rewrite, tradedVenue, verify } from '../../test/archives.ts';
import { archiveLog } from './archive.ts';
import { exportLog } from './export.ts';

async function withReader<T>(spec: string, look: (reader: LogReader) => Promise<T>): Promise<T> {
  const reader = await openLogReader(spec);
  try {
    return await look(reader);
  } finally {
    await reader.close();
  }
}

const firstSeqOf = (spec: string) => withReader(spec, async (reader) => (await reader.chainStart()).seq + 1);

describe('export', () => {
  it('is text that a person can read, and verifies to the same report as the log', async () => {
    const { venue } = await tradedVenue();
    const out = newPath('venue.zst');
    const exported = await exportLog({ log: venue.spec, out });
    const [header, firstBatch, first, ...rest] = linesOf(out).map((line) => JSON.parse(line));
    assert.deepEqual([header.format, header.version, header.after.seq], ['venue-archive', 1, 0]);
    assert.equal(header.stamp.fundingMode, 'paper');
    assert.deepEqual(firstBatch.batch, [1, 1]);
    assert.equal(first.body.parameters.fundingMode, 'paper');
    assert.equal(rest.find(({ kind }) => kind === 'quotes').body, undefined);
    assert.equal(typeof rest.find(({ kind }) => kind === 'quotes').base64, 'string');
    const { seq, hash } = rest.at(-1).end;
    assert.deepEqual([seq, hash], [venue.state.seq, exported.hash]);

    const [ofLog, ofFile] = [await verify({ log: venue.spec }), await verify({ archives: [out] })];
    assert.equal(ofLog.facts.fault, null);
    assert.equal(ofFile.reportDigest, ofLog.reportDigest);
    assert.equal(ofFile.facts.entries!.chainHead, exported.hash);
  });

  it('keeps every byte of a body, whatever it is', async () => {
    const path = newPath('odd.db');
    const log = await openLog(`sqlite:${path}`);
    await log.writeStamp(stampOf({ fundingMode: 'paper', marginPremium: 'mark' }));
    const bodies = [
      '{"a":1}',
      '{"a": "x\\n,\\"body\\":"}',
      '{"a":\n1}',
      '{no json',
      '',
      'plain',
      '{"é":"\u2028"}',
    ].map((text) => Buffer.from(text));
    bodies.push(Buffer.from([0x7b, 0xff, 0x7d]), Buffer.alloc(300_000, 7));
    await log.append(bodies.map((body, i) => ({ kind: i === 0 ? 'k","body":"' : 'k', body })));
    await log.close();
    const out = newPath('odd.zst');
    // Its chain is checked over the bytes, so that it reads back whole says that they are the same.
    assert.deepEqual((await exportLog({ log: `sqlite:${path}`, out })).toSeq, bodies.length);
    const { facts } = await verify({ archives: [out] });
    assert.equal(
      facts.fault!.message,
      'entry 1 (k","body":") cannot be read: unknown kind of log entry: k","body":"; if a newer release wrote it, verify with that one',
    );
  });

  it('of a part is widened to whole batches, and joins the rest', async () => {
    const { venue } = await tradedVenue();
    const [one, two] = [newPath(), newPath()];
    const first = await exportLog({ log: venue.spec, out: one, to: 6 });
    assert.deepEqual([first.fromSeq, first.toSeq], [1, 7]);
    const second = await exportLog({ log: venue.spec, out: two, from: 8 });
    assert.deepEqual([second.fromSeq, second.toSeq], [8, venue.state.seq]);
    const whole = await verify({ log: venue.spec });
    const joined = await verify({ archives: [one, two] });
    assert.equal(joined.reportDigest, whole.reportDigest);
    assert.equal((await verify({ archives: [one], log: venue.spec })).reportDigest, whole.reportDigest);
    assert.equal((await verify({ archives: [one, two], log: venue.spec })).reportDigest, whole.reportDigest);
    const early = { log: venue.spec, to: 3 };
    assert.equal(
      (await verify({ archives: [one, two], ...early })).reportDigest,
      (await verify(early)).reportDigest,
    );
  });

  it('overwrites nothing, and leaves nothing behind when it fails', async () => {
    const { venue } = await tradedVenue();
    const out = newPath('taken.zst');
    writeFileSync(out, 'mine');
    await assert.rejects(exportLog({ log: venue.spec, out }), {
      name: 'LogToolError',
      message: /is there already/,
    });
    assert.equal(readFileSync(out, 'utf8'), 'mine');
    tamper(venue.path, `UPDATE log SET body = '{}' WHERE seq = 4`);
    const other = newPath('other.zst');
    await assert.rejects(exportLog({ log: venue.spec, out: other }), {
      name: 'LogToolError',
      message: /^nothing was written: one of the entries 4 to 5 is damaged/,
    });
    const stopped = exportLog({ log: venue.spec, out: other, to: 2, signal: AbortSignal.abort() });
    await assert.rejects(stopped, { name: 'LogToolError', message: 'broken off; nothing was written' });
    const left = readdirSync(dirname(other)).filter((name) => name.startsWith(basename(other)));
    assert.deepEqual(left, []);
  });

  it('refuses what is not there in one line', async () => {
    const { venue } = await tradedVenue();
    const out = newPath();
    for (const [options, message] of [
      [{ from: 5, to: 4 }, /^entry 5 comes after entry 4$/],
      [{ to: 900 }, /^the log ends at entry \d+$/],
      [{ out: '/nowhere/at/all.zst' }, /does not exist, or its folder does not$/],
      [{ log: 'sqlite:/nowhere/venue.db' }, /does not exist; name the file of a log$/],
    ] as const) {
      await assert.rejects(exportLog({ log: venue.spec, out, ...options }), {
        name: 'LogToolError',
        message,
      });
    }
    await assert.rejects(verify({ archives: [venue.path] }), {
      message: /venue.db is no archive of a log$/,
    });
  });
});

describe('an archive that somebody changed', () => {
  it('is named with its entry when a byte of a body is another', async () => {
    const { one, two } = await archives();
    rewrite(two, (lines) =>
      lines.map((line) => line.replace('"qtyMicros":1000000,', '"qtyMicros":1000001,')),
    );
    assertFault(await verify({ archives: [one, two] }), 8, /^one of the entries 8 to 9 is damaged/);
  });
});

describe('archive', () => {
  it('moves what lies below the older snapshot, and log and archive verify as before', async () => {
    const { venue, older } = await tradedVenue();
    const before = await verify({ log: venue.spec });
    const out = newPath('old.zst');
    const archived = await archiveLog({ log: venue.spec, out, keep: 'snapshot' });
    assert.ok('toSeq' in archived);
    assert.ok(
      archived.toSeq < older && archived.toSeq >= older - 2,
      'whole batches, and never the snapshot’s own',
    );
    assert.equal(await firstSeqOf(venue.spec), archived.toSeq + 1);

    const both = await verify({ log: venue.spec, archives: [out] });
    assert.equal(both.reportDigest, before.reportDigest);
    const alone = await verify({ log: venue.spec });
    assert.deepEqual([alone.facts.fault, alone.facts.trusted!.seq], [null, older]);
    assert.equal(alone.facts.entries!.fromSeq, older + 1);
    assert.equal(alone.facts.entries!.stateDigest, before.facts.entries!.stateDigest);
    assert.deepEqual(
      alone.snapshots.map(({ found }) => found),
      ['taken on trust', 'the state after its entry'],
    );
    assert.deepEqual(await archiveLog({ log: venue.spec, out: newPath(), keep: 'snapshot' }), {
      none: `the log keeps entries ${archived.toSeq + 1} to ${venue.state.seq}`,
    });
    await assert.rejects(exportLog({ log: venue.spec, out: newPath(), from: 1 }), {
      message: /^entry 1 was archived/,
    });
  });

  it('goes on where it ended before, and keeps as many as it is told', async () => {
    const { venue } = await tradedVenue();
    const before = await verify({ log: venue.spec });
    const [one, two] = [newPath('one.zst'), newPath('two.zst')];
    const first = await archiveLog({ log: venue.spec, out: one, keep: venue.state.seq - 3 });
    assert.deepEqual('toSeq' in first && [first.fromSeq, first.toSeq], [1, 3]);
    await archiveLog({ log: venue.spec, out: two, keep: 0 });
    const joined = await verify({ archives: [one, two], log: venue.spec });
    assert.equal(joined.reportDigest, before.reportDigest);
    const gap = /^entries 4 to \d+ are missing between archive 1 and the log$/;
    assertFault(await verify({ archives: [one], log: venue.spec }), 4, gap);
  });

  it('takes nothing out without two good snapshots', async () => {
    const venue = await SignedLog.open();
    await trade(venue);
    await venue.snapshot();
    await venue.stop();
    const none = await archiveLog({ log: venue.spec, out: newPath(), keep: 'snapshot' });
    assert.match('none' in none ? none.none : '', /^the log has fewer than two snapshots/);

    const { venue: damaged, older } = await tradedVenue();
    const out = newPath('damaged.zst');
    tamper(damaged.path, 'UPDATE snapshot SET body = ? WHERE seq = ?', new Uint8Array(9), older);
    await assert.rejects(archiveLog({ log: damaged.spec, out, keep: 'snapshot' }), {
      name: 'LogToolError',
      message: new RegExp(`^nothing was archived: the snapshot of entry ${older} is damaged`),
    });
    assert.equal(existsSync(out), false);
    assert.equal(await firstSeqOf(damaged.spec), 1);
  });

  it('is refused while a node has the log, and without a log', async () => {
    const { venue } = await tradedVenue();
    await venue.start();
    const out = newPath();
    await assert.rejects(archiveLog({ log: venue.spec, out, keep: 'snapshot' }), {
      name: 'LogToolError',
      message: /is in use by another process; stop that one/,
    });
    await venue.stop();
    const path = newPath('none.db');
    await assert.rejects(archiveLog({ log: `sqlite:${path}`, out, keep: 0 }), { name: 'LogToolError' });
    assert.equal(existsSync(path), false);
  });

  it('names a start of the log that is not where the archive ends', async () => {
    const { venue } = await tradedVenue();
    const out = newPath();
    await archiveLog({ log: venue.spec, out, keep: 'snapshot' });
    tamper(venue.path, 'UPDATE chain_start SET previous_hash = ?', new Uint8Array(32));
    const { facts } = await verify({ archives: [out], log: venue.spec });
    assert.match(facts.fault!.message, /^the log does not continue archive 1 at entry \d+/);
    assertFault(await verify({ log: venue.spec }), facts.fault!.seq, /damaged: the hash of its batch/);
  });

  it('names a damaged snapshot that would have to be begun with', async () => {
    const { venue, older } = await tradedVenue();
    await archiveLog({ log: venue.spec, out: newPath(), keep: 'snapshot' });
    tamper(venue.path, 'UPDATE snapshot SET digest = ? WHERE seq = ?', 'ab'.repeat(32), older);
    const message = new RegExp(`^the snapshot of entry ${older} is damaged: its state has another digest$`);
    assertFault(await verify({ log: venue.spec }), older, message);
  });
});
