import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { createZstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { apply, createState, NO_EFFECTS, type State, stateDigest } from '@venue/engine';
import type { Snapshot } from '@venue/log';
import type { Address } from '@venue/protocol';
import { bodyFault, restoreSnapshot, snapshotOfIdle } from '@venue/replay';
import { TestVenue } from '../../test/auth-venue.ts';
import { loadConfig } from '../config.ts';
import { snapshotOf } from './snapshots.ts';

/** Only the hash of a batch is read from it. */
const logOf = (hash: string) => ({
  readBatches: async () => [{ firstSeq: 1, lastSeq: 1, id: '', hash: hash.repeat(64) }],
});
const LOG = logOf('a');

/** A state whose text is several pieces long. */
function crowded(accounts: number): State {
  const state = createState();
  const { parameters } = loadConfig({ VENUE_SYMBOLS: 'X:crypto', VENUE_PAPER_CASH: '1000' });
  apply(state, { seq: 1, ts: 1, command: { kind: 'configure', parameters } }, NO_EFFECTS);
  for (let seq = 2; seq < accounts + 2; seq++) {
    const address = `0x${seq.toString(16).padStart(40, '0')}` as Address;
    apply(state, { seq, ts: seq, command: { kind: 'open', address } }, NO_EFFECTS);
  }
  return state;
}

/** The same snapshot with so many spaces behind each line of its text, which mean nothing. */
async function padded(snapshot: Snapshot, spaces: number): Promise<Snapshot> {
  const lines = zstdDecompressSync(snapshot.body).toString().split('\n');
  const padding = ' '.repeat(spaces);
  const text = () => lines.values().map((line, i) => (i === 0 ? line : `\n${line}${padding}`));
  return { ...snapshot, body: await pipeline(text, createZstdCompress(), buffer) };
}

/** The most memory in use while `act` runs, less what was in use before. */
async function memoryOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 1);
  await act().finally(() => clearInterval(timer));
  return most - before;
}

const MIB = 1024 * 1024;

describe('a snapshot', () => {
  it('restores its state', async () => {
    const { state } = new TestVenue();
    const snapshot = await snapshotOf(state, LOG);
    const restored = await restoreSnapshot(snapshot, LOG);
    assert.ok(typeof restored !== 'string', String(restored));
    assert.equal(stateDigest(restored), stateDigest(state));
    assert.equal(await bodyFault(snapshot), null);
  });

  it('that is wrong says how', async () => {
    const good = await snapshotOf(new TestVenue().state, LOG);
    const restoring = async (wrong: Partial<Snapshot>) => restoreSnapshot({ ...good, ...wrong }, LOG);
    assert.equal(await restoreSnapshot(good, logOf('b')), 'is of another log');
    const text = zstdDecompressSync(good.body);
    const ofNoLog = zstdCompressSync(text.subarray(text.indexOf('\n') + 1));
    assert.equal(await restoring({ body: ofNoLog }), 'is of another log');
    const body = good.body.subarray(0, -5);
    assert.match(String(await restoring({ body })), /^is damaged: /);
    assert.match(String(await bodyFault({ ...good, body })), /^is damaged: /);
    const digest = 'f'.repeat(64);
    assert.equal(await restoring({ digest }), 'is damaged: its state has another digest');
    assert.equal(await bodyFault({ ...good, digest }), 'is damaged: its body has another digest');
    assert.equal(await restoring({ seq: 2 }), 'is damaged: it holds the state after entry 1');
    const version = good.version + 1;
    const said = `is of version ${version}, which this program does not read`;
    assert.deepEqual([await restoring({ version }), await bodyFault({ ...good, version })], [said, said]);
  });

  it('has the same bytes of text, cut in pieces or not, and comes back from them', async () => {
    const state = crowded(4_000);
    const [busy, idle] = [await snapshotOf(state, LOG), await snapshotOfIdle(state, LOG)];
    assert.equal(idle.digest, stateDigest(state));
    assert.deepEqual(idle, busy);
    assert.ok(zstdDecompressSync(idle.body).length > 3 * 256 * 1024);
    const restored = await restoreSnapshot(idle, LOG);
    assert.equal(stateDigest(restored as State), idle.digest);
    assert.equal(await bodyFault(idle), null);
  });

  it('is read without all of its text in memory', { timeout: 60_000 }, async () => {
    const state = crowded(400);
    const snapshot = await padded(await snapshotOf(state, LOG), MIB / 2);
    // Of what has been read, a busy machine collects about 90 MiB late.
    const most = 140 * MIB;
    const restored = await memoryOf(async () => {
      assert.equal(stateDigest((await restoreSnapshot(snapshot, LOG)) as State), snapshot.digest);
    });
    assert.ok(restored < most, `${Math.round(restored / MIB)} MiB for a text of 200 MiB`);
    const checked = await memoryOf(() => bodyFault(snapshot));
    assert.ok(checked < most, `${Math.round(checked / MIB)} MiB for a text of 200 MiB`);
  });

  it('gives its own state or none, wherever it is damaged', async () => {
    const good = await snapshotOfIdle(crowded(20), LOG);
    const { body, digest } = good;
    const restoring = (wrong: Uint8Array) => restoreSnapshot({ ...good, body: wrong }, LOG);
    const assertOwnOrNone = async (name: string, wrong: Uint8Array) => {
      const restored = await restoring(wrong);
      if (typeof restored === 'string') assert.match(restored, /^is (damaged: .|of another log$)/, name);
      else assert.equal(stateDigest(restored), digest, name);
    };
    for (let length = 0; length < body.length; length += 13)
      await assertOwnOrNone(`cut off at ${length}`, body.subarray(0, length));
    for (let at = 0; at < body.length; at += 11) {
      const flipped = Buffer.from(body);
      flipped[at]! ^= 1 << (at % 8);
      await assertOwnOrNone(`a bit of byte ${at}`, flipped);
    }
    await assertOwnOrNone('with more bytes behind it', Buffer.concat([body, Buffer.from('more')]));
    const text = zstdDecompressSync(body).toString();
    for (const [name, wrong] of [
      ['a line too many', `${text}\n{}`],
      ['a line too few', text.slice(0, text.lastIndexOf('\n'))],
      ['no line', ''],
      ['half a line', text.slice(0, -9)],
    ] as const)
      assert.match(String(await restoring(zstdCompressSync(wrong))), /^is damaged: /, name);
  });
});
