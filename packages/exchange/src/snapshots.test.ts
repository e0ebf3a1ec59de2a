import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
import { type Log, MemoryStore, openMemoryLog } from '@venue/log';
import type { Address, Micros } from '@venue/protocol';
import { loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { loadState, Snapshots } from './snapshots.ts';

const logger = createLogger('silent');
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Address;

interface Running {
  readonly log: Log;
  readonly state: State;
  readonly snapshots: Snapshots;
  readonly add: (command: Command) => Promise<void>;
}

/** A log and the state that its seven entries lead to. */
async function running(everyEntries?: number): Promise<Running> {
  const log = await openMemoryLog({ store: new MemoryStore() });
  const state = createState();
  const snapshots = new Snapshots(log, state, everyEntries);
  const add = async (command: Command) => {
    const body = encodeCommand(command);
    const { firstSeq: seq, ts } = await log.append([{ kind: command.kind, body }]);
    apply(state, { seq, ts, command: decodeCommand(command.kind, body) }, NO_EFFECTS);
  };
  await add({ kind: 'configure', parameters: loadConfig({ VENUE_SYMBOLS: 'X:crypto' }).parameters });
  await add({ kind: 'prints', prints: [{ symbol: 'X', source: 'a', priceMicros: 100_000_000 as Micros }] });
  for (let n = 1; n <= 5; n++) await add({ kind: 'open', address: address(n) });
  return { log, state, snapshots, add };
}

describe('snapshots', () => {
  it('give the state back that they were taken of', async () => {
    const { log, state, snapshots } = await running();
    assert.equal(await loadState(log, logger), null);
    await snapshots.save();
    const loaded = await loadState(log, logger);
    assert.ok(loaded !== null);
    assert.equal(stateDigest(loaded), stateDigest(state));
  });

  it('are taken once enough entries have come', async () => {
    const { log, state, snapshots, add } = await running(8);
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

  it('are passed over when they are damaged, not what their digest says, or of another version', async () => {
    const { log, state, snapshots, add } = await running();
    await snapshots.save();
    const good = (await log.loadSnapshots())[0]!;
    await add({ kind: 'open', address: address(21) });
    for (const wrong of [
      { ...good, body: good.body.subarray(0, -5) },
      { ...good, digest: 'f'.repeat(64) },
      { ...good, version: 999 },
    ]) {
      await log.saveSnapshot({ ...wrong, seq: state.seq });
      const loaded = await loadState(log, logger);
      assert.equal(loaded?.seq, good.seq);
    }
  });
});
