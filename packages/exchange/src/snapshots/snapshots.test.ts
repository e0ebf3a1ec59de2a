import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  apply,
  type Command,
  createState,
  decodeCommand,
  encodeCommand,
  NO_EFFECTS,
  type State,
  stateDigest,
} from '@venue/engine';
import { type Log, LogFullError, LogOpenError, MemoryStore, openMemoryLog, openSqliteLog } from '@venue/log';
import type { Address, Micros } from '@venue/protocol';
import { loadConfig } from '../config.ts';
import { createLogger } from '../observe/logger.ts';
import { loadState, REPLAY_LIMIT_MS, SnapshotLateError, Snapshots, snapshotOf } from './snapshots.ts';
import { takeInThread } from './thread.ts';

const logger = createLogger('silent');
const SAVE_MS = 60_000;
/** As long as nothing was measured, an applied entry takes twice as long to replay. */
const SECOND_OF_REPLAY = { ms: 500, isReplay: false };
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address;

interface Running {
  readonly log: Log;
  readonly state: State;
  readonly snapshots: Snapshots;
  readonly add: (command: Command) => Promise<void>;
}

/** A log of seven entries, and the state after them. */
async function running(limitMs = REPLAY_LIMIT_MS, given?: Log): Promise<Running> {
  const log = given ?? (await openMemoryLog({ store: new MemoryStore() }));
  const state = createState();
  const snapshots = new Snapshots({ log, state, take: () => snapshotOf(state, log), limitMs });
  const add = async (command: Command) => {
    const body = encodeCommand(command);
    const { firstSeq: seq, ts } = await log.append([{ kind: command.kind, body }]);
    apply(state, { seq, ts, command: decodeCommand(command.kind, body) }, NO_EFFECTS);
    snapshots.applied(SECOND_OF_REPLAY);
  };
  await add({ kind: 'configure', parameters: loadConfig({ VENUE_SYMBOLS: 'X:crypto' }).parameters });
  await add({ kind: 'prints', prints: [{ symbol: 'X', source: 'a', priceMicros: 100_000_000 as Micros }] });
  for (let n = 1; n <= 5; n++) await add({ kind: 'open', address: address(n) });
  return { log, state, snapshots, add };
}

/** The parts of a log that a start uses. */
function bound(log: Log) {
  return {
    head: () => log.head(),
    loadSnapshots: () => log.loadSnapshots(),
    readBatches: (from: number, to: number) => log.readBatches(from, to),
  };
}

describe('snapshots', () => {
  it('restore the state they were taken of', async () => {
    const { log, state, snapshots } = await running();
    assert.equal(await loadState(log, logger), null);
    await snapshots.save(SAVE_MS);
    const loaded = await loadState(log, logger);
    assert.ok(loaded !== null);
    assert.equal(stateDigest(loaded), stateDigest(state));
  });

  it('are taken once replaying would take too long', async () => {
    const { log, state, snapshots, add } = await running(8_000);
    await snapshots.saveIfDue();
    assert.deepEqual(await log.loadSnapshots(), []);
    await add({ kind: 'open', address: address(13) });
    await snapshots.saveIfDue();
    await snapshots.saveIfDue();
    assert.deepEqual(
      (await log.loadSnapshots()).map(({ seq }) => seq),
      [state.seq],
    );
  });

  it('are kept only once the history has reached them, and retried if it has not', async () => {
    const { log, state } = await running();
    const asked: number[] = [];
    let isDurable = false;
    const durable = async (seq: number) => {
      asked.push(seq);
      if (!isDurable) throw new Error('the history is behind');
    };
    const snapshots = new Snapshots({
      log,
      state,
      take: () => snapshotOf(state, log),
      limitMs: REPLAY_LIMIT_MS,
      durable,
    });
    state.seq = 6;
    await assert.rejects(snapshots.save(SAVE_MS), /behind/);
    assert.deepEqual(await log.loadSnapshots(), []);
    isDurable = true;
    await snapshots.save(SAVE_MS);
    assert.equal((await log.loadSnapshots()).length, 1);
    assert.deepEqual(asked, [6, 6]);
  });

  it('LOG-3: are taken once few entries have been much work, and not for many that were little', async () => {
    const { log, state, snapshots } = await running(20_000);
    for (let n = 0; n < 100_000; n++) snapshots.applied({ ms: 0.05, isReplay: false });
    await snapshots.saveIfDue();
    assert.deepEqual(await log.loadSnapshots(), []);
    snapshots.applied({ ms: 2_500, isReplay: false });
    await snapshots.saveIfDue();
    assert.equal((await log.loadSnapshots())[0]?.seq, state.seq);
    assert.equal(snapshots.replayMs, 0);
  });

  it('LOG-3: are taken sooner where the thread that made the last one had more work with its replay', async () => {
    const { log, state, add } = await running();
    let fromSeq = 0;
    const take = async () => {
      const replay = { fromSeq, processorMs: 8_000 };
      return { ...(await snapshotOf(state, log)), replay };
    };
    state.seq = 0;
    const snapshots = new Snapshots({ log, state, take, limitMs: 2_000 });
    state.seq = 7;
    const work = (ms: number) => snapshots.applied({ ms, isReplay: false });
    work(1_000);
    await snapshots.saveIfDue();
    assert.equal(snapshots.savedSeq, 7);
    work(249);
    assert.equal(snapshots.replayMs, 249 * 8);
    await add({ kind: 'open', address: address(8) });
    await snapshots.saveIfDue();
    assert.equal(snapshots.savedSeq, 7);
    work(1);
    // Another node's snapshot to begin with makes the time say nothing.
    fromSeq = 5;
    await snapshots.saveIfDue();
    assert.equal(snapshots.savedSeq, 8);
    work(100);
    assert.equal(snapshots.replayMs, 800);
  });

  it('LOG-3: are made by the node itself, at once, while it still replays', async () => {
    const { log, state, snapshots, add } = await running(3_000);
    await snapshots.save(SAVE_MS);
    snapshots.applied({ ms: 2_999, isReplay: true });
    await snapshots.saveIfDueInReplay();
    assert.equal((await log.loadSnapshots()).length, 1);
    await add({ kind: 'open', address: address(8) });
    const { seq } = state;
    const digest = stateDigest(state);
    const saving = snapshots.saveIfDueInReplay();
    await add({ kind: 'open', address: address(9) });
    await saving;
    const [newest] = await log.loadSnapshots();
    assert.deepEqual([newest?.seq, newest?.digest], [seq, digest]);
  });

  it('are given up if there is no time for them', async () => {
    const { log, snapshots } = await running();
    await assert.rejects(snapshots.save(0), SnapshotLateError);
    assert.deepEqual(await log.loadSnapshots(), []);
    await snapshots.save(SAVE_MS);
    assert.equal((await log.loadSnapshots()).length, 1);
  });

  it('are given up if the log takes too long to store them', { timeout: 60_000 }, async () => {
    const { log, snapshots } = await running();
    log.saveSnapshot = () => new Promise(() => {});
    await assert.rejects(snapshots.save(200), SnapshotLateError);
  });

  it('that could not be saved are retried after a minute, and not before', async (t) => {
    const { log, state, snapshots } = await running(7_000);
    const save = log.saveSnapshot;
    log.saveSnapshot = async () => {
      throw new LogFullError();
    };
    await assert.rejects(snapshots.saveIfDue(), LogFullError);
    log.saveSnapshot = save;
    await snapshots.saveIfDue();
    assert.deepEqual(await log.loadSnapshots(), []);
    const laterMs = performance.now() + 60_000;
    t.mock.method(performance, 'now', () => laterMs);
    await snapshots.saveIfDue();
    assert.equal((await log.loadSnapshots())[0]?.seq, state.seq);
  });

  it('leave entries that came meanwhile to the replay, and count them towards the next', async () => {
    const { log, state, add } = await running();
    const [started, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const take = async () => {
      const snapshot = await snapshotOf(state, log);
      started.resolve();
      await going.promise;
      return snapshot;
    };
    const snapshots = new Snapshots({ log, state, take, limitMs: 2_000 });
    const addOne = async (n: number) => {
      await add({ kind: 'open', address: address(n) });
      snapshots.applied(SECOND_OF_REPLAY);
    };
    for (const n of [21, 22]) await addOne(n);
    const due = snapshots.saveIfDue();
    await started.promise;
    for (const n of [23, 24]) await addOne(n);
    going.resolve();
    await due;
    assert.equal((await log.loadSnapshots())[0]?.seq, state.seq - 2);
    await snapshots.saveIfDue();
    assert.equal((await log.loadSnapshots())[0]?.seq, state.seq);
    await addOne(25);
    await snapshots.saveIfDue();
    assert.equal((await log.loadSnapshots())[0]?.seq, state.seq - 1);
  });

  it('in progress on a thread do not delay a stop, which saves a newer one', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-snapshots-'));
    const path = join(folder, 'venue.db');
    const log = await openSqliteLog({ path });
    t.after(async () => {
      await log.close();
      await rm(folder, { recursive: true });
    });
    const { state, add } = await running(REPLAY_LIMIT_MS, log);
    const task = { log: `sqlite:${path}`, seq: state.seq, skipSeqs: [] };
    const take = (signal: AbortSignal) => takeInThread(task, signal);
    const snapshots = new Snapshots({ log, state, take, limitMs: 0 });
    const due = snapshots.saveIfDue();
    await add({ kind: 'open', address: address(13) });
    snapshots.giveUp();
    await due;
    assert.deepEqual(await log.loadSnapshots(), []);
    await snapshots.save(SAVE_MS);
    assert.equal((await log.loadSnapshots())[0]?.digest, stateDigest(state));
  });

  it('are made by a thread that reads the log beside the node, starting from the previous snapshot', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-snapshots-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'venue.db');
    const log = await openSqliteLog({ path });
    t.after(() => log.close());
    const { state, snapshots, add } = await running(REPLAY_LIMIT_MS, log);
    const take = (skipSeqs: number[] = []) =>
      takeInThread({ log: `sqlite:${path}`, seq: state.seq, skipSeqs });
    assert.equal((await take()).digest, stateDigest(state));
    await snapshots.save(SAVE_MS);
    await add({ kind: 'open', address: address(99) });
    const taken = await take();
    assert.deepEqual([taken.seq, taken.digest], [state.seq, stateDigest(state)]);
    assert.equal(taken.replay?.fromSeq, state.seq - 1);
    assert.ok(taken.replay.processorMs >= 0);
    await assert.rejects(
      takeInThread({ log: `sqlite:${path}`, seq: state.seq + 1, skipSeqs: [] }),
      /^Error: the snapshot at entry 9 was not made: entry 9 is missing from the log$/,
    );
  });

  it('skip only what an operator skips and cannot be applied', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-snapshots-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'venue.db');
    const log = await openSqliteLog({ path });
    t.after(() => log.close());
    const { state, add } = await running(REPLAY_LIMIT_MS, log);
    const applied = state.seq;
    const body = Buffer.from(JSON.stringify({ parameters: { ...state.parameters, symbols: null } }));
    const { firstSeq: seq } = await log.append([{ kind: 'configure', body }]);
    state.seq = seq;
    await add({ kind: 'open', address: address(99) });
    const task = { log: `sqlite:${path}`, seq: state.seq, skipSeqs: [applied, seq, state.seq] };
    assert.equal((await takeInThread(task)).digest, stateDigest(state));
  });

  it('beyond the end of the log keep a node from starting, because acknowledged entries are missing', async () => {
    const { log, snapshots } = await running();
    await snapshots.save(SAVE_MS);
    const shorter = { ...bound(log), head: async () => ({ seq: 5, ts: 0 }) };
    await assert.rejects(
      loadState(shorter, logger),
      new LogOpenError(
        'the log ends with entry 5, before the snapshot of entry 7: its end is missing; restore it from a backup',
      ),
    );
  });

  it('of another log are skipped, and named', async () => {
    const [one, other] = [await running(), await running()];
    await one.snapshots.save(SAVE_MS);
    await other.add({ kind: 'open', address: address(31) });
    await other.snapshots.save(SAVE_MS);
    await one.add({ kind: 'open', address: address(21) });
    await one.log.saveSnapshot((await other.log.loadSnapshots())[0]!);
    const said: string[] = [];
    const loaded = await loadState(one.log, { warn: (_: unknown, text?: string) => said.push(text!) });
    assert.equal(loaded?.seq, 7);
    assert.deepEqual(said, ['passed over: the snapshot of entry 8 is of another log']);
  });

  it('are skipped if damaged, at odds with their digest, of another version, or if they name no log', async () => {
    const { log, state, snapshots, add } = await running();
    await snapshots.save(SAVE_MS);
    const good = (await log.loadSnapshots())[0]!;
    const text = zstdDecompressSync(good.body);
    await add({ kind: 'open', address: address(21) });
    for (const wrong of [
      { ...good, body: good.body.subarray(0, -5) },
      { ...good, digest: 'f'.repeat(64) },
      { ...good, version: 999 },
      { ...good, body: zstdCompressSync(text.subarray(text.indexOf('\n') + 1)) },
    ]) {
      await log.saveSnapshot({ ...wrong, seq: state.seq });
      const loaded = await loadState(log, logger);
      assert.equal(loaded?.seq, good.seq);
    }
  });
});
