import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { stateDigest } from '@venue/engine';
import { openFile, Traded, traders } from '../../test/movements.ts';
import { Sequencer } from '../sequencer.ts';
import { snapshotOf } from '../snapshots.ts';
import type { History } from './history.ts';
import { type Start, startState } from './start.ts';
import type { HistoryStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-history-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after: null, limit: 1_000_000 };

interface Started extends Start {
  readonly history: History;
  readonly store: HistoryStore;
  /** What the start said. */
  readonly said: readonly string[];
  /** The state that the replay began with. */
  readonly fromSeq: number;
}

/** Starts as a node does: chooses the state, replays the rest of the log. */
async function start(traded: Traded, path: string): Promise<Started> {
  const said: string[] = [];
  const say = (...words: unknown[]) => said.push(String(words.at(-1)));
  const store = await openFile(path);
  const { log } = traded;
  const { state, history } = await startState({ log, logger: { info: say, warn: say, error: say }, store });
  assert.ok(history !== null);
  const fromSeq = state.seq;
  const { effects } = history;
  const sequencer = new Sequencer({
    ...{ log, state, effects, replayEffects: effects, skipSeqs: new Set() },
    onApplied: () => history.applied(),
    onFatal: assert.fail,
  });
  await sequencer.replay();
  assert.equal(stateDigest(state), stateDigest(traded.state));
  return { state, history, store, said, fromSeq };
}

/** As a kill does: what was not written is lost. */
async function kill({ store }: Started): Promise<void> {
  await store.close();
}

/** A venue with a history up to the middle of what it did, where a snapshot is; the rest it wrote in part. */
async function halfWritten(path: string, snapshotAt: readonly number[] = [300]): Promise<Traded> {
  const traded = await Traded.begin(5, false);
  const first = await start(traded, path);
  for (const seq of snapshotAt) await tradeOn(traded, first, seq);
  await traded.trade(150);
  await kill(first);
  return traded;
}

/** Trades up to an entry, and keeps a snapshot there, once the history has it. */
async function tradeOn(traded: Traded, { history, state }: Started, seq: number): Promise<void> {
  await traded.trade(seq - traded.state.seq);
  // The follower of the started node is told in the next turn.
  while (state.seq < seq) await new Promise((resolve) => setImmediate(resolve));
  await history.durable(seq);
  await traded.log.saveSnapshot(await snapshotOf(traded.state, traded.log));
}

async function assertComplete(traded: Traded, { history }: Started, fromMs = 0): Promise<void> {
  let rows = 0;
  for (const { index, cashMicros } of traders(traded.state)) {
    const page = await history.statement({ account: index, ...ALL, fromMs });
    let balance = page.openingBalance;
    assert.equal(balance, traded.cashBefore(index, fromMs));
    for (const row of page.rows) balance += row.cash - row.fee;
    assert.equal(balance, cashMicros);
    assert.equal(page.rows.at(-1)?.balance ?? page.openingBalance, cashMicros);
    rows += page.rows.length;
  }
  assert.ok(rows > 10, `${rows} rows`);
}

function newPath(): string {
  files += 1;
  return join(folder, `${files}`, 'history.db');
}

describe('a start with a history', () => {
  it('goes on from the snapshot that the history has reached, and repeats no row', async () => {
    const path = newPath();
    const traded = await halfWritten(path);
    const again = await start(traded, path);
    assert.deepEqual([again.fromSeq, again.said], [300, []]);
    await assertComplete(traded, again);
    await kill(again);
    const once = await start(traded, path);
    await assertComplete(traded, once);
    await kill(once);
  });

  it('replays from the first entry when its file is gone, though there is a snapshot, and says so', async () => {
    const path = newPath();
    const traded = await halfWritten(path);
    rmSync(path);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 0);
    assert.deepEqual(again.said, [
      'passed over: the snapshot of entry 300 is past the history, which ends with entry 0 and gets the rest from a longer replay',
    ]);
    await assertComplete(traded, again);
    await kill(again);
  });

  it('goes on from the older snapshot when the newer one, of another node, is past its history', async () => {
    const path = newPath();
    const traded = await halfWritten(path, [200, 300]);
    await traded.log.saveSnapshot(await snapshotOf(traded.state, traded.log));
    await traded.trade(50);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 300);
    await assertComplete(traded, again);
    await kill(again);
  });

  it('puts the file of another log aside and makes a new one', async () => {
    const path = newPath();
    await halfWritten(path);
    const other = await Traded.begin(1, false);
    await other.trade(400);
    const again = await start(other, path);
    assert.match(again.said[0]!, /of another log, .*put aside/);
    assert.ok(readdirSync(join(path, '..')).includes('history.db.old-1'));
    await assertComplete(other, again);
    await kill(again);
  });

  it('begins later where older entries are archived, with the cash that accounts had, and says from when', async () => {
    const path = newPath();
    const traded = await halfWritten(path, [200, 300]);
    await traded.log.dropBefore(190);
    rmSync(path);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 200);
    assert.match(again.said.at(-1)!, /the history begins after entry 200/);
    const { completeFromMs } = await again.history.statement({ account: 3, ...ALL });
    assert.equal(completeFromMs, traded.store.entries.find(({ seq }) => seq === 200)!.ts + 1);
    await assertComplete(traded, again, completeFromMs);
    await again.history.durable(traded.state.seq);
    await kill(again);
    const once = await start(traded, path);
    assert.equal((await once.history.statement({ account: 3, ...ALL })).completeFromMs, completeFromMs);
    await assertComplete(traded, once, completeFromMs);
    await kill(once);
  });
});
