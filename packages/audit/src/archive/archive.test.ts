// @process audit
// @seconds 7

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type LogReader, openLog, openLogReader } from '@venue/log';
import { stampOf } from '@venue/replay';
import { sharedVerifier } from '../../../exchange/test/shared-verifier.ts';
import { ALICE, BOB, newPath, SignedLog, tamper, trade } from '../../../exchange/test/signed-log.ts';
import type { VerifyReport } from '../verify/report.ts';
import { type VerifyOptions, verifyLog } from '../verify/verify.ts';
import { archiveLog } from './archive.ts';
import { exportLog } from './export.ts';

const verify = async (options: VerifyOptions) => verifyLog({ verifier: await sharedVerifier(), ...options });

/** A stopped venue that traded, with snapshots of entry `older` and of its last one. */
async function tradedVenue(
  mode: 'paper' | 'deposits' = 'paper',
  laterMs = 0,
): Promise<{ venue: SignedLog; older: number }> {
  const venue = await SignedLog.open(mode);
  venue.nowMs += laterMs;
  await trade(venue);
  await venue.snapshot();
  const older = venue.state.seq;
  await venue.append({ kind: 'quotes', session: null, rows: [] });
  await venue.append(venue.order(ALICE, 'sell'), venue.order(BOB, 'buy'));
  await venue.snapshot();
  await venue.append(venue.order(ALICE, 'sell'), venue.order(BOB, 'buy'));
  await venue.stop();
  return { venue, older };
}

const linesOf = (path: string): string[] =>
  zstdDecompressSync(readFileSync(path)).toString().trim().split('\n');

function rewrite(path: string, change: (lines: string[]) => string[]): void {
  writeFileSync(path, zstdCompressSync(`${change(linesOf(path)).join('\n')}\n`));
}

function assertFault({ facts }: VerifyReport, seq: number, message: RegExp): void {
  assert.match(facts.fault?.message ?? 'verified', message);
  assert.equal(facts.fault!.seq, seq);
}

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
  async function archives(laterMs = 0): Promise<{ venue: SignedLog; one: string; two: string }> {
    const { venue } = await tradedVenue('paper', laterMs);
    const [one, two] = [newPath('one.zst'), newPath('two.zst')];
    await exportLog({ log: venue.spec, out: one, to: 7 });
    await exportLog({ log: venue.spec, out: two, from: 8 });
    return { venue, one, two };
  }

  it('is named with its entry when a byte of a body is another', async () => {
    const { one, two } = await archives();
    rewrite(two, (lines) =>
      lines.map((line) => line.replace('"qtyMicros":1000000,', '"qtyMicros":1000001,')),
    );
    assertFault(await verify({ archives: [one, two] }), 8, /^one of the entries 8 to 9 is damaged/);
  });

  it('is named with its entry when it is cut, in the file or in the text', async () => {
    const { venue, one, two } = await archives();
    const bytes = readFileSync(two);
    writeFileSync(two, bytes.subarray(0, -1));
    const { seq } = venue.state;
    const cut = new RegExp(`^archive 2 breaks off or is damaged after entry ${seq}$`);
    assertFault(await verify({ archives: [one, two] }), seq + 1, cut);
    writeFileSync(two, bytes.subarray(0, bytes.length / 2));
    const message = /two.zst is damaged: unexpected end of file$/;
    await assert.rejects(verify({ archives: [one, two] }), { message });
    writeFileSync(two, bytes);
    rewrite(two, (lines) => lines.slice(0, -1));
    const { facts } = await verify({ archives: [one, two] });
    assert.match(facts.fault!.message, /^archive 2 breaks off after entry \d+$/);
    rewrite(two, (lines) => lines.slice(0, 4));
    assertFault(await verify({ archives: [one, two] }), 10, /^archive 2 breaks off after entry 9$/);
    rewrite(two, (lines) => lines.slice(0, 3));
    assertFault(await verify({ archives: [one, two] }), 9, /^archive 2 breaks off after entry 8$/);
  });

  it('is named when its last line does not fit, and when a line is no line', async () => {
    const { one } = await archives();
    rewrite(one, (lines) => [...lines.slice(0, -3), lines.at(-1)!]);
    assertFault(
      await verify({ archives: [one] }),
      6,
      /^archive 1 ends with entry 5, and its last line says otherwise$/,
    );
    const whole = readFileSync(one);
    for (const line of [
      'what',
      '7',
      '[]',
      '{}',
      '{"batch":5}',
      '{"batch":null}',
      '{"batch":{"0":2}}',
      '{"end":null}',
      '{"end":7}',
    ]) {
      writeFileSync(one, whole);
      rewrite(one, (lines) => lines.with(4, line));
      assertFault(await verify({ archives: [one] }), 2, /^archive 1 is damaged in line 5, after entry 1$/);
    }
    for (const wrong of ['"after":5', '"after":null', '"after":[]', '"stamp":"paper"', '"stamp":["paper"]']) {
      writeFileSync(one, whole);
      const key = wrong.split(':')[0]!;
      rewrite(one, (lines) => lines.with(0, lines[0]!.replace(new RegExp(`${key}:{[^}]*}`), wrong)));
      await assert.rejects(verify({ archives: [one] }), {
        name: 'LogToolError',
        message: /is not readable$/,
      });
    }
    writeFileSync(one, whole);
    rewrite(one, (lines) => lines.with(0, lines[0]!.replace('"version":1', '"version":2')));
    await assert.rejects(verify({ archives: [one] }), {
      message: /is an archive of version 2, and this one reads/,
    });
  });

  it('is named when bytes come behind its end, be they nothing or another archive', async () => {
    const { venue, one, two } = await archives();
    const bytes = readFileSync(two);
    const { seq } = venue.state;
    for (const [behind, message] of [
      [Buffer.from('garbage'), /^archive 2 has bytes behind its end$/],
      [Buffer.from('x'), /^archive 2 has bytes behind its end$/],
      [readFileSync(one), /^archive 2 is damaged in line \d+, after entry \d+$/],
    ] as const) {
      writeFileSync(two, Buffer.concat([bytes, behind]));
      assertFault(await verify({ archives: [one, two] }), seq + 1, message);
    }
  });

  it('is named when a line has no end', async () => {
    const { one, two } = await archives();
    const endless = Buffer.alloc(96 * 1024 * 1024, 'x');
    const [header, batch] = linesOf(two);
    writeFileSync(two, zstdCompressSync(Buffer.concat([Buffer.from(`${header}\n${batch}\n`), endless])));
    const message = /^archive 2 has a line of more than 67108864 characters$/;
    assertFault(await verify({ archives: [one, two] }), 8, message);
    writeFileSync(two, zstdCompressSync(endless));
    await assert.rejects(verify({ archives: [one, two] }), {
      name: 'LogToolError',
      message: /two.zst has a line of more than 67108864 characters$/,
    });
  });

  it('is named when archives are in the wrong order, or one is left out', async () => {
    const { venue, one, two } = await archives();
    assertFault(await verify({ archives: [two, one] }), 1, /^entries 1 to 7 are not given, and no snapshot/);
    assertFault(
      await verify({ archives: [one, two, one] }),
      1,
      /^archive 3 begins at entry 1, where entry \d+ has to come$/,
    );
    const three = newPath('three.zst');
    await exportLog({ log: venue.spec, out: three, from: 10 });
    assertFault(
      await verify({ archives: [one, three] }),
      8,
      /^entries 8 to 9 are missing between archive 1 and archive 2$/,
    );
  });

  it('is named when it is of another venue', async () => {
    const { venue, one } = await archives();
    const other = await archives(1);
    const paper = /^archive 2 does not continue archive 1 at entry 8: the chains of hashes are not the same$/;
    assertFault(await verify({ archives: [one, other.two] }), 8, paper);
    const log = /^the log does not continue the archives at entry 8: the chains of hashes are not the same$/;
    assertFault(await verify({ archives: [other.one], log: venue.spec }), 8, log);
    const { venue: deposits } = await tradedVenue('deposits');
    const stamped =
      /^the log, looked at from entry 8 on, is of another venue: it is stamped fundingMode=deposits$/;
    assertFault(await verify({ archives: [one], log: deposits.spec }), 8, stamped);
  });

  it('is named when the log goes back behind it', async () => {
    const { venue } = await tradedVenue();
    const [all, part] = [newPath('all.zst'), newPath('part.zst')];
    await exportLog({ log: venue.spec, out: all });
    await exportLog({ log: venue.spec, out: part, to: 7 });
    tamper(venue.path, 'DELETE FROM log WHERE seq > 5');
    tamper(venue.path, 'DELETE FROM batch WHERE first_seq > 5');
    tamper(venue.path, 'DELETE FROM snapshot');
    rmSync(`${venue.path}-head`);
    const message = /^entry 6 is in an archive and not in the log, which ends before it$/;
    assertFault(await verify({ archives: [part], log: venue.spec }), 6, message);
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

  it('is refused while a node has the log, and where there is none', async () => {
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
