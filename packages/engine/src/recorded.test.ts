import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RecordedEntry, recordedLog, recordedSnapshot } from '../test/recorded.ts';
import { apply } from './engine.ts';
import type { CommandKind, Entry } from './entry/command.ts';
import { decodeEntry, encodeCommand } from './entry/command-codec.ts';
import { type Effects, NO_EFFECTS } from './entry/effects.ts';
import { FEATURE_LEVEL } from './entry/feature-level.ts';
import type { OutcomeOf } from './entry/outcome.ts';
import { restoreState, snapshotVersion, stateDigest, stateLines } from './snapshot.ts';
import { createState, type State } from './state/state.ts';

/** The entry after which the snapshot of a log was written. */
const SNAPSHOT_SEQ = 400;

const KINDS = [
  ...[
    'approve',
    'batch',
    'cancel',
    'cancel-order',
    'configure',
    'due',
    'maintain',
    'margin',
    'open',
    'order',
  ],
  ...['overstep', 'prints', 'pull', 'quote-session', 'quote-set', 'quotes', 'rekey', 'revoke', 'settle'],
  ...['settle-confirm', 'settle-propose', 'sign-in'],
  ...['adopt', 'approve-payout', 'attest', 'bind', 'commit', 'deposit', 'epoch', 'freeze-withdrawals'],
  ...[
    'halt-payouts',
    'hold-deposit',
    'park',
    'payout-wait',
    'release',
    'reverse-deposit',
    'void',
    'withdraw',
  ],
];

/** Written by `sim/record.ts` at a feature level, with the digests at the snapshot and at the end. */
const LEVELS = [
  {
    level: 1,
    kinds: KINDS,
    logs: [
      {
        log: 'level-1-paper',
        digestOfSnapshot: 'bc9980bbd9c78da761fb35a817d9dd2e393b07a22aa46ff39a80eb3ea9d6569c',
        digest: 'd9666f09b207465dc268593f4b153a1b026210fbbd0a39b56f7ffba91bd54dcc',
      },
      {
        log: 'level-1-deposits',
        digestOfSnapshot: '72ba206f9b21436a71bdff5510c4b3188220aec0b4273d9986b3b69c38ed0ee5',
        digest: 'bfa05270df3a5ac03cf5d78050f834a79283097b22a7d66b606db0284fb35fca',
      },
    ],
  },
] as const;

test('OWN-72 every feature level has a recorded log', () => {
  assert.deepEqual(
    LEVELS.map(({ level }) => level),
    Array.from({ length: FEATURE_LEVEL }, (_, at) => at + 1),
    'sim/record.ts records one',
  );
});

for (const { level, kinds, logs } of LEVELS)
  describe(`a log at feature level ${level}`, () => {
    for (const { log, digestOfSnapshot, digest } of logs) {
      test(`gives its digests, and on the way exactly the lines of its snapshot: ${log}`, () => {
        const { lines, digests, state } = replayed(log);
        assert.deepEqual(lines, recordedSnapshot(log));
        assert.deepEqual(digests, [digestOfSnapshot, digest]);
        assert.equal(snapshotVersion(state), level);
      });

      test(`gives the same digest from its snapshot: ${log}`, () => {
        const state = restoreState(recordedSnapshot(log));
        assert.equal(stateDigest(state), digestOfSnapshot);
        replay(state, recordedLog(log).slice(SNAPSHOT_SEQ));
        assert.equal(stateDigest(state), digest);
      });
    }

    test('has every kind of entry and of fill, and expiries settled by the oracle and by hand', () => {
      const seen = new Set<string>();
      const fills = new Set<string>();
      const settledBy = new Set<string | null>();
      for (const { log } of logs) {
        const { state, fillKinds, entryKinds } = replayed(log);
        for (const kind of entryKinds) seen.add(kind);
        for (const kind of fillKinds) fills.add(kind);
        for (const { decisions } of state.instruments.values())
          for (const { by } of decisions.values()) settledBy.add(by);
      }
      assert.deepEqual([...seen].sort(), [...kinds].sort());
      assert.deepEqual([...fills].sort(), ['liquidation', 'settlement', 'trade']);
      assert.deepEqual([...settledBy].sort(), ['hand', null, 'oracle']);
    });
  });

test('BAT-2 CMB-1 DRM-1 the logs have every action, combos of every end, and accounts that came to the mode and left it', () => {
  const seen = new Set<string>();
  for (const { log } of LEVELS[0].logs) for (const what of replayed(log).actions) seen.add(what);
  const expected = ['combo filled', 'combo partial', 'combo cancelled', 'combo rejected'];
  expected.push('defined-risk true', 'defined-risk false', 'per-leg true');
  expected.push('place', 'amend', 'cancel', 'cancel-all', 'guard', 'protect', 'unfreeze');
  assert.deepEqual(
    expected.filter((what) => !seen.has(what)),
    [],
  );
});

test('RSK-5 a log has ticks that a jump stopped, and a snapshot in the middle of a jump', () => {
  const log = 'level-1-paper';
  assert.ok(replayed(log).stopped > 0);
  const { instruments } = restoreState(recordedSnapshot(log));
  assert.ok([...instruments.values()].some(({ jump, spots }) => jump !== null && spots.length > 1));
});

test('OPS-1 OPS-2 the logs have names in entries, and their snapshots in audit and proposals, and accounts in call', () => {
  const named = new Set<string>();
  for (const stored of recordedLog('level-1-deposits')) {
    const { command } = decodeEntry(stored);
    if ('by' in command && command.by !== undefined) named.add(command.kind);
  }
  for (const kind of ['release', 'adopt', 'bind', 'settle-propose', 'settle-confirm'])
    assert.ok(named.has(kind));
  const states = LEVELS[0].logs.map(({ log }) => restoreState(recordedSnapshot(log)));
  const entries = states.flatMap(({ audit }) => audit.entries);
  assert.ok(entries.some((one) => 'action' in one && one.action === 'release' && one.by !== undefined));
  assert.ok(states.some(({ settleProposals }) => settleProposals.some(({ by }) => by !== undefined)));
  assert.ok(states.some(({ accounts }) => accounts.some(({ calledSince }) => calledSince !== null)));
});

type Outcome = OutcomeOf<CommandKind>;

interface Replayed {
  readonly state: State;
  /** The snapshot on the way. */
  readonly lines: readonly string[];
  /** At the snapshot, and at the end. */
  readonly digests: readonly [string, string];
  readonly fillKinds: ReadonlySet<string>;
  readonly entryKinds: ReadonlySet<string>;
  /** The actions of its batches, with what became of those that end in several ways. */
  readonly actions: ReadonlySet<string>;
  /** Ticks in which a jump stopped liquidation. */
  readonly stopped: number;
}

const known = new Map<string, Replayed>();

/** A log from its first entry to its last, once for all tests of it. */
function replayed(log: string): Replayed {
  const before = known.get(log);
  if (before !== undefined) return before;
  const entries = recordedLog(log);
  const state = createState();
  const fillKinds = new Set<string>();
  const effects: Effects = { ...NO_EFFECTS, filled: (_, { kind }) => fillKinds.add(kind) };
  const outcomes = replay(state, entries.slice(0, SNAPSHOT_SEQ), effects);
  const [lines, digestOfSnapshot] = [[...stateLines(state)], stateDigest(state)];
  outcomes.push(...replay(state, entries.slice(SNAPSHOT_SEQ), effects));
  const entryKinds = new Set(entries.map(({ kind }) => kind));
  const digests = [digestOfSnapshot, stateDigest(state)] as const;
  const stopped = outcomes.filter((outcome) => 'stopped' in outcome && outcome.stopped.length > 0).length;
  const actions = new Set(entries.flatMap((stored, at) => actionsOf(decodeEntry(stored), outcomes[at]!)));
  const made = { state, lines, digests, fillKinds, entryKinds, actions, stopped };
  known.set(log, made);
  return made;
}

/** Applies recorded entries, each of which must encode to exactly the recorded bytes. */
function replay(state: State, entries: readonly RecordedEntry[], effects = NO_EFFECTS): Outcome[] {
  return entries.map((stored) => {
    const entry = decodeEntry(stored);
    assert.equal(Buffer.compare(encodeCommand(entry.command), stored.body), 0, `entry ${stored.seq}`);
    return apply(state, entry, effects);
  });
}

function actionsOf({ command }: Entry, outcome: Outcome): string[] {
  if (command.kind !== 'batch' || !('results' in outcome)) return [];
  return outcome.results.map((result, at) => {
    const action = command.actions[at]!;
    if (result.type === 'combo') return `combo ${result.status}`;
    return action.type === 'margin-mode' ? `${action.mode} ${'ok' in result && result.ok}` : action.type;
  });
}
