import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type RecordedEntry, recordedLog, recordedSnapshot } from '../test/recorded.ts';
import { apply } from './engine.ts';
import { decodeEntry, encodeCommand } from './entry/command-codec.ts';
import { type Effects, NO_EFFECTS } from './entry/effects.ts';
import { FEATURE_LEVEL } from './entry/feature-level.ts';
import { restoreState, snapshotVersion, stateDigest, stateLines } from './snapshot.ts';
import { createState, type State } from './state/state.ts';

/** Written by the generator in `sim` of the first release; the digests are those of its engine. */
const FIRST_RELEASE = [
  ['first-release-paper', 'b31f71dfa045a7b4e47158dfbadbc01764bf463e9a546d98dfa37ff8d36df398'],
  ['first-release-deposits', '1020d7060be6570c25b1a1fdc227ad0ad91cb920774f75d6c0a483588fc50d65'],
] as const;

/** The entry after which the snapshot was written, in every log at feature level 2. */
const SNAPSHOT_SEQ = 400;

/** Written by `sim/record.ts` at feature level 2, with the digests at the snapshot and at the end. */
const LEVEL_2 = [
  {
    log: 'level-2-paper',
    digestOfSnapshot: 'e530222ff96ceac2a2c0750ee76d18a06dc44bf0bd31422e94ba209adde1e108',
    digest: 'ffd38904f14cafe2b6a014d9e16bf9bbdf3aefb831141a07155d62a4f5d2b9e4',
  },
  {
    log: 'level-2-paper-at-mark',
    digestOfSnapshot: '4c4d8ed5b8e9b727c831454cbaa15e63026d155a0b66a703984d55be52790346',
    digest: '7fac115152ef608112fd2ce3300d27f0e9767df531c2cbd5fd9cb1e266dd3dd4',
  },
  {
    log: 'level-2-deposits',
    digestOfSnapshot: '8e34992db7d446d2ef08128732c5d4466df777cc27bbb8a96bedf7e121fc5f25',
    digest: '6cd58ae3a82fb3fd4c583f41a87df0af081b44272261efc72462b9883df96d61',
  },
  {
    log: 'level-2-deposits-signed',
    digestOfSnapshot: '7fc2b53f03eb669d3a082f39c095ee51df5c5dcb510fb406bf9fb1b272a5b9b1',
    digest: 'b7c5c523f8dc0ac4434922a585dbf58393efc7c369557fb4a7667f0f36d18690',
  },
] as const;

describe('a log of the first release (OWN-72)', () => {
  for (const [log, digest] of FIRST_RELEASE) {
    test(`gives its original digest, its snapshot has its original version and can be restored: ${log}`, () => {
      const state = createState();
      replay(state, recordedLog(log));
      assert.equal(stateDigest(state), digest);
      assert.equal(snapshotVersion(state), 3);
      assert.equal(stateDigest(restoreState(stateLines(state))), digest);
    });
  }
});

test('OWN-72 every feature level has a version of its snapshots and a recorded log', () => {
  const names = globSync('*.txt.gz', { cwd: new URL('../test/logs/', import.meta.url) });
  const { parameters } = restoreState(recordedSnapshot('level-2-paper'));
  // Level 3 is being built: its log is recorded with its last entry.
  const recorded = (level: number) => level < 3;
  for (let level = 1; level <= FEATURE_LEVEL; level++) {
    const state: State = { ...createState(), parameters: { ...parameters!, version: level } };
    assert.ok(snapshotVersion(state), `add a version for level ${level} to VERSION_BY_LEVEL in snapshot.ts`);
    const prefix = level === 1 ? 'first-release-' : `level-${level}-`;
    assert.ok(
      !recorded(level) || names.some((name) => name.startsWith(prefix)),
      `keep a log of level ${level} as test/logs/${prefix}….txt.gz; sim/record.ts writes one`,
    );
  }
});

describe('a log at feature level 2', () => {
  for (const { log, digestOfSnapshot, digest } of LEVEL_2) {
    test(`gives its digests, and on the way exactly the lines of its snapshot: ${log}`, () => {
      const entries = recordedLog(log);
      const state = createState();
      replay(state, entries.slice(0, SNAPSHOT_SEQ));
      assert.deepEqual([...stateLines(state)], recordedSnapshot(log));
      assert.equal(stateDigest(state), digestOfSnapshot);
      replay(state, entries.slice(SNAPSHOT_SEQ));
      assert.equal(stateDigest(state), digest);
      assert.equal(snapshotVersion(state), 4);
    });

    test(`gives the same digest from its snapshot: ${log}`, () => {
      const state = restoreState(recordedSnapshot(log));
      assert.equal(stateDigest(state), digestOfSnapshot);
      replay(state, recordedLog(log).slice(SNAPSHOT_SEQ));
      assert.equal(stateDigest(state), digest);
    });
  }

  test('has every kind of entry and of fill, and expiries settled by the oracle and by hand', () => {
    const kinds = new Set<string>();
    const fills = new Set<string>();
    const settledBy = new Set<string | null>();
    const effects: Effects = { ...NO_EFFECTS, filled: (_, { kind }) => fills.add(kind) };
    for (const { log } of LEVEL_2) {
      const entries = recordedLog(log);
      const state = createState();
      replay(state, entries, effects);
      for (const { kind } of entries) kinds.add(kind);
      for (const { decisions } of state.instruments.values())
        for (const { by } of decisions.values()) settledBy.add(by);
    }
    assert.deepEqual([...kinds].sort(), KINDS);
    assert.deepEqual([...fills].sort(), ['liquidation', 'settlement', 'trade']);
    assert.deepEqual([...settledBy].sort(), ['hand', null, 'oracle']);
  });
});

const KINDS = [
  ...['approve', 'cancel', 'cancel-order', 'commit', 'configure', 'deposit', 'maintain', 'margin', 'open'],
  ...['order', 'prints', 'pull', 'quote-session', 'quotes', 'release', 'revoke', 'settle', 'sign-in'],
  'withdraw',
];

/** Applies recorded entries, each of which must encode to exactly the recorded bytes. */
function replay(state: State, entries: readonly RecordedEntry[], effects = NO_EFFECTS): void {
  for (const stored of entries) {
    const entry = decodeEntry(stored);
    assert.equal(Buffer.compare(encodeCommand(entry.command), stored.body), 0, `entry ${stored.seq}`);
    apply(state, entry, effects);
  }
}
