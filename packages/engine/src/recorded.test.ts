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

/** The entry after which the snapshot was written, in every log since feature level 2. */
const SNAPSHOT_SEQ = 400;

const KINDS = [
  ...['approve', 'cancel', 'cancel-order', 'commit', 'configure', 'deposit', 'maintain', 'margin', 'open'],
  ...['order', 'prints', 'pull', 'quote-session', 'quotes', 'release', 'revoke', 'settle', 'sign-in'],
  'withdraw',
];
const CUSTODY_KINDS = [
  ...[
    'adopt',
    'approve-payout',
    'attest',
    'bind',
    'epoch',
    'freeze-withdrawals',
    'halt-payouts',
    'hold-deposit',
  ],
  ...['park', 'payout-wait', 'reverse-deposit', 'settle-confirm', 'settle-propose', 'void'],
];

/** Written by `sim/record.ts` at a feature level, with the digests at the snapshot and at the end. */
const LEVELS = [
  {
    level: 2,
    version: 4,
    kinds: KINDS,
    logs: [
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
    ],
  },
  {
    level: 3,
    version: 5,
    kinds: [...KINDS, ...CUSTODY_KINDS],
    logs: [
      {
        log: 'level-3-paper',
        digestOfSnapshot: '499a581ec2bd3520ef5e52fe3be0af47e54ac5c9ce234cfe49a097fe8c4cd9e0',
        digest: '25644bd8f23706460efb1f21cc5857ca10c6ad2a91bdeff5479b965d0fa2abdd',
      },
      {
        log: 'level-3-deposits',
        digestOfSnapshot: '575ad6618c80e6ee78ac7e96f26483e724c4aa9c400acc59861bea36b5a08c38',
        digest: 'b3630a004cccdb1dff6959e31050d8620bc11191853b84998f7750e05e95474e',
      },
      {
        log: 'level-3-deposits-bound',
        digestOfSnapshot: '6424cc3e6e7097fa118836594b3bb6994d6a61687f0b13689392f40662bead9f',
        digest: '6715cba49697387c6e6d62c1fec453c07e91b3192d3a3862b493a8a841dca7c5',
      },
    ],
  },
  {
    level: 4,
    version: 6,
    kinds: [...KINDS, ...CUSTODY_KINDS, 'batch', 'rekey'],
    logs: [
      {
        log: 'level-4-paper',
        digestOfSnapshot: '317b5b6c2d66ef6f0bc9f8a819fa2d4fd5f02a6754f67e7b8ba9e79dad014299',
        digest: '38dedb1740c9810c243577927605bf31402be2daab5d343a02b9c35dc2919737',
      },
      {
        log: 'level-4-paper-post-only',
        digestOfSnapshot: '17892eaffe1745ef1380811933978e61a111278ea1d453d06366ad21b85585d0',
        digest: 'c66d4d1196f56c0f21d5eedc0d61497f2fa71bfa69a6e3c4dd6202d8ecc91d9b',
      },
      {
        log: 'level-4-deposits',
        digestOfSnapshot: '242fdbdd12ac01f32040e255f6bc513879646697fd5b940615d648ef919e9cc3',
        digest: '05550ff1dc48ecd972c8f4dda4e59f41a38d1c7313d79cf9c4c78199c49e904e',
      },
    ],
  },
  {
    level: 5,
    version: 7,
    kinds: [...KINDS, ...CUSTODY_KINDS, 'batch', 'quote-set', 'rekey'],
    logs: [
      {
        log: 'level-5-paper',
        digestOfSnapshot: '69d36a097e510957d8a3e17b584edcb03d22f424baa6739ad48fd0347e8a373e',
        digest: '854da365b298c0c5a3fcafed445e950f4555ebe6d158bde6f9bd0b429c588127',
      },
      {
        log: 'level-5-paper-by-model',
        digestOfSnapshot: '58e64575c9922fe3a7fc1a1a8b4a89ea94efa84298d85e1114d4eec44a77be9d',
        digest: '02596238c782076a2463373ff022dc6f1625a7ac03cef654a31e3a67c27673ac',
      },
      {
        log: 'level-5-deposits',
        digestOfSnapshot: 'bb79cbded07a5a255735de2a06562f5e905f64320ea29bcb408f2da44aec0519',
        digest: '5c86264ee43f850697b8d05af97facdffe9e4a02dc4f248566b49c39c5ddab2c',
      },
      {
        log: 'level-5-deposits-by-model',
        digestOfSnapshot: 'f679ed5676cc4be1520ec0074dc8e78d7f9b4b36c90d1211c4ab071f963df8bf',
        digest: '905bb948bdcf34d72fc6e8a876a72a239012484980a15b205f1e85ea56cdb4cc',
      },
    ],
  },
  {
    level: 6,
    version: 8,
    kinds: [...KINDS, ...CUSTODY_KINDS, 'batch', 'quote-set', 'rekey'],
    logs: [
      {
        log: 'level-6-paper',
        digestOfSnapshot: 'baab8bbcd0fab1c95898e23ad0bd065b43b0408229506bf6fca6bfa7fd8dc47f',
        digest: 'df6f19f5347ecd7ec046a00a402e505b466ee4dea798611641522be3726409f6',
      },
      {
        log: 'level-6-deposits',
        digestOfSnapshot: '1f461947fcf2c08fa54fc5c8451a0cec311e8719ae82d2712dc298240f0a688b',
        digest: '52f64a4eed4812e3073bb273449fc0231c85fe5aabcef4ad60e437349198c470',
      },
    ],
  },
  {
    level: 7,
    version: 9,
    kinds: [...KINDS, ...CUSTODY_KINDS, 'batch', 'due', 'overstep', 'quote-set', 'rekey'],
    logs: [
      {
        log: 'level-7-paper',
        digestOfSnapshot: '17684a1740345fc52913dcac19818f8951869e15bd9142760760b0982a5d992a',
        digest: '67c9beb85c037f61604b1d09491c505af07f0f5815446418f2715ba1029c265c',
      },
      {
        log: 'level-7-deposits',
        digestOfSnapshot: 'cf0776775ac6a164800bf6eac9c2f4ea9905914aeeb82a6d2cf86b33c800e278',
        digest: '7fdd16264962e10a552f6498343ea888b5d5d526f3f129c8908e1f0958639dbf',
      },
      {
        log: 'level-7-paper-jumps',
        digestOfSnapshot: 'e27ca9beb0386914447054ef7e9eaa03a82266b85d8b2a0aa032506485ede951',
        digest: 'c07d67c7a542d6b0fe56a87f7f2b0de51ade450f19bbeb25d50d785cc61cb7dc',
      },
      {
        log: 'level-7-deposits-named',
        digestOfSnapshot: '58350cc09f6bb716f9215b502bce2b52a335e6f5d85d32d67d0f59c083a43b51',
        digest: '7c397eb16e748e97e6f5dbc622fcfa2bd30f42daf24f48086d48d679c37df063',
      },
      {
        log: 'level-7-deposits-overstep',
        digestOfSnapshot: '367ce42be8ed5438850d8f0ea141225c36964eee68f64e7ca2891ffc90335386',
        digest: 'ea68d047976cf949447d5bdf392a44f65ce75088ffdee671073aeea1bd37550a',
      },
    ],
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
  for (let level = 1; level <= FEATURE_LEVEL; level++) {
    const state: State = { ...createState(), parameters: { ...parameters!, version: level } };
    assert.ok(snapshotVersion(state), `add a version for level ${level} to VERSION_BY_LEVEL in snapshot.ts`);
    const prefix = level === 1 ? 'first-release-' : `level-${level}-`;
    assert.ok(
      names.some((name) => name.startsWith(prefix)),
      `keep a log of level ${level} as test/logs/${prefix}….txt.gz; sim/record.ts writes one`,
    );
  }
});

for (const { level, version, kinds, logs } of LEVELS)
  describe(`a log at feature level ${level}`, () => {
    for (const { log, digestOfSnapshot, digest } of logs) {
      test(`gives its digests, and on the way exactly the lines of its snapshot: ${log}`, () => {
        const { lines, digests, state } = replayed(log);
        assert.deepEqual(lines, recordedSnapshot(log));
        assert.deepEqual(digests, [digestOfSnapshot, digest]);
        assert.equal(snapshotVersion(state), version);
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

test('CMB-1 DRM-1 the logs of level 6 have combos that traded, and accounts that came to the mode and left it', () => {
  const seen = new Set<string>();
  for (const { log } of LEVELS.find(({ level }) => level === 6)!.logs) {
    const state = createState();
    for (const stored of recordedLog(log)) {
      const entry = decodeEntry(stored);
      const outcome = apply(state, entry, NO_EFFECTS);
      if (entry.command.kind !== 'batch' || !('results' in outcome)) continue;
      for (const [at, result] of outcome.results.entries()) {
        const action = entry.command.actions[at];
        if (result.type === 'combo') seen.add(`combo ${result.status}`);
        if (action?.type === 'margin-mode') seen.add(`${action.mode} ${'ok' in result && result.ok}`);
      }
    }
  }
  const expected = ['combo filled', 'combo partial', 'combo cancelled', 'combo rejected'];
  expected.push('defined-risk true', 'defined-risk false', 'per-leg true');
  assert.deepEqual(
    expected.filter((what) => !seen.has(what)),
    [],
  );
});

test('RSK-5 a log of level 7 has ticks that a jump stopped, and a snapshot in the middle of a jump', () => {
  const log = 'level-7-paper-jumps';
  const state = createState();
  let stopped = 0;
  for (const stored of recordedLog(log)) {
    const outcome = apply(state, decodeEntry(stored), NO_EFFECTS);
    if ('stopped' in outcome && outcome.stopped.length > 0) stopped += 1;
  }
  assert.ok(stopped > 0);
  const { instruments } = restoreState(recordedSnapshot(log));
  assert.ok([...instruments.values()].some(({ jump, spots }) => jump !== null && spots.length > 1));
});

test('OPS-2 a log of level 7 has names in entries, audit and a proposal of its snapshot', () => {
  const log = 'level-7-deposits-named';
  const named = new Set<string>();
  for (const stored of recordedLog(log)) {
    const { command } = decodeEntry(stored);
    if ('by' in command && command.by !== undefined) named.add(command.kind);
  }
  for (const kind of ['release', 'adopt', 'bind', 'settle-propose', 'settle-confirm'])
    assert.ok(named.has(kind));
  const { audit, settleProposals } = restoreState(recordedSnapshot(log));
  assert.ok(audit.entries.some((one) => 'action' in one && one.action === 'release' && one.by !== undefined));
  assert.ok(settleProposals.some(({ by }) => by !== undefined));
});

test('OPS-1 the snapshots of level 7 say since when accounts are in call', () => {
  for (const { log } of LEVELS.find(({ level }) => level === 7)!.logs)
    assert.ok(restoreState(recordedSnapshot(log)).accounts.some(({ calledSince }) => calledSince !== null));
});

interface Replayed {
  readonly state: State;
  /** The snapshot on the way. */
  readonly lines: readonly string[];
  /** At the snapshot, and at the end. */
  readonly digests: readonly [string, string];
  readonly fillKinds: ReadonlySet<string>;
  readonly entryKinds: ReadonlySet<string>;
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
  replay(state, entries.slice(0, SNAPSHOT_SEQ), effects);
  const [lines, digestOfSnapshot] = [[...stateLines(state)], stateDigest(state)];
  replay(state, entries.slice(SNAPSHOT_SEQ), effects);
  const entryKinds = new Set(entries.map(({ kind }) => kind));
  const digests = [digestOfSnapshot, stateDigest(state)] as const;
  const made = { state, lines, digests, fillKinds, entryKinds };
  known.set(log, made);
  return made;
}

/** Applies recorded entries, each of which must encode to exactly the recorded bytes. */
function replay(state: State, entries: readonly RecordedEntry[], effects = NO_EFFECTS): void {
  for (const stored of entries) {
    const entry = decodeEntry(stored);
    assert.equal(Buffer.compare(encodeCommand(entry.command), stored.body), 0, `entry ${stored.seq}`);
    apply(state, entry, effects);
  }
}
