import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createState, encodeCommand, NO_EFFECTS } from '@venue/engine';
import { type Log, MemoryStore, openMemoryLog } from '@venue/log';
import { stampOf } from '@venue/replay';
import { addressOf, PARAMETERS, START_MS } from '../../engine/test/venue.ts';
import { Collector } from './collector.ts';
import {
  type Beginning,
  beginning,
  FollowedState,
  type FollowLogOptions,
  LogClock,
  type Place,
} from './follow.ts';

const AGE_MS = 600_000;

let log: Log;
let nowMs: number;
let wallMs: number;
let said: string[];

beforeEach(async () => {
  nowMs = START_MS;
  wallMs = START_MS;
  said = [];
  log = await openedLog();
});

async function openedLog(store = new MemoryStore()): Promise<Log> {
  const opened = await openMemoryLog({ store, now: () => nowMs });
  await opened.writeStamp(stampOf(PARAMETERS));
  await append(opened, { kind: 'configure', parameters: PARAMETERS });
  return opened;
}

async function append(to: Log, command: Parameters<typeof encodeCommand>[0]): Promise<void> {
  await to.append([{ kind: command.kind, body: encodeCommand(command) }]);
}

/** An entry that tells of itself only by its number. */
async function openAccount(name: string): Promise<void> {
  await append(log, { kind: 'open', address: addressOf(name) });
}

function options(place: Place | null): FollowLogOptions {
  return {
    ...{ log, place, skipSeqs: new Set<number>(), ageMs: AGE_MS, say: (line: string) => said.push(line) },
    ...{ clock: () => wallMs, monotonicMs: () => nowMs - START_MS },
  };
}

async function placeAt(seq: number): Promise<Place> {
  const [batch] = await log.readBatches(seq, seq);
  return { seq, anchorSeq: seq, anchorHash: batch!.hash };
}

/** Follows the log, and notes the entries that are told. */
async function follow(
  place: Place | null,
): Promise<{ told: number[]; followed: FollowedState; began: Beginning }> {
  const began = await beginning(options(place));
  const told: number[] = [];
  const { effects } = new Collector(began.state, () => true);
  const followed = new FollowedState(began, options(place), {
    effects,
    before: (isTold) => isTold && told.push(began.state.seq + 1),
    after: () => {},
    applied: () => {},
  });
  await followed.start();
  return { told, followed, began };
}

describe('PUSH-5 the place in the log', () => {
  test('goes on after the entry of the file, and tells what came while it was away', async () => {
    const place = await placeAt(1);
    for (const name of ['alice', 'bob']) await openAccount(name);
    const { told } = await follow(place);
    await openAccount('carol');
    assert.deepEqual(told, [2, 3, 4]);
  });

  test('without a file, or with a lost one, it begins with the present', async () => {
    await openAccount('alice');
    const { told } = await follow(null);
    await openAccount('bob');
    assert.deepEqual(told, [3]);
  });

  test('what is older than the bound is applied and not told', async () => {
    const place = await placeAt(1);
    await openAccount('alice');
    nowMs += AGE_MS + 1;
    wallMs = nowMs;
    await openAccount('bob');
    const { told, followed } = await follow(place);
    assert.deepEqual(told, [3]);
    assert.equal(followed.state.seq, 3);
  });

  test('a log that ends before the file, or goes on differently, begins with the present', async () => {
    await openAccount('alice');
    const other = await placeAt(2);
    log = await openedLog();
    assert.equal((await beginning(options(other))).fromSeq, 1);
    await openAccount('bob');
    await openAccount('carol');
    assert.equal((await beginning(options(other))).fromSeq, 3);
    assert.equal(said.filter((line) => /another log/.test(line)).length, 2);
  });

  test('a clock of this machine that is hours ahead silences nothing that comes', async () => {
    wallMs += 5 * 3_600_000;
    const { told, followed } = await follow(await placeAt(1));
    nowMs += 1_000;
    await openAccount('alice');
    assert.deepEqual(told, [2]);
    assert.equal(followed.clock.now(), nowMs);
  });

  test('one that is hours behind tells nothing old', async () => {
    const place = await placeAt(1);
    await openAccount('alice');
    nowMs += AGE_MS + 1;
    await openAccount('bob');
    wallMs = START_MS - 5 * 3_600_000;
    assert.deepEqual((await follow(place)).told, [3]);
  });

  test('a log that stood still for hours goes on being told', async () => {
    const { told } = await follow(await placeAt(1));
    nowMs += 5 * 3_600_000;
    await openAccount('alice');
    assert.deepEqual(told, [2]);
  });
});

test('PUSH-3 the time of the log goes on between its entries', () => {
  let elapsed = 100;
  const clock = new LogClock(() => elapsed);
  clock.saw(START_MS);
  elapsed += 30;
  assert.equal(clock.now(), START_MS + 30);
  clock.saw(START_MS + 10);
  assert.equal(clock.now(), START_MS + 30);
});

test('PUSH-3 the time of the log is that of its snapshot until an entry follows', () => {
  const state = createState();
  state.ts = START_MS;
  const listener = { effects: NO_EFFECTS, before: () => {}, after: () => {}, applied: () => {} };
  const followed = new FollowedState({ state, fromSeq: 1 }, options(null), listener);
  nowMs += 30;
  assert.equal(followed.clock.now(), START_MS + 30);
});
