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
        digestOfSnapshot: '8062a27d3725ae27c250ad0ac0e0e218347048103ab82a7e918e5234bfb4fde7',
        digest: '71235b41dd640b82a34ee6f9f8a85ebcf789e8c02dd7175b6cece6b6d1859200',
      },
      {
        log: 'level-3-deposits',
        digestOfSnapshot: 'e3d0ca496f27c39fbe91f678ffc45f669a920aca473459c670d3a1586fd48b7a',
        digest: 'bd90d79f81ceb418298fb83aa41c9d5ecec896cde0d6cd5410935330f69ec848',
      },
      {
        log: 'level-3-deposits-bound',
        digestOfSnapshot: '4df010641e56404363c6e457fad9c3d4865e89bdfce8aa64cc542fcae30ade93',
        digest: '0c2751f210a571f4f6f93e61d657b48c21dbb1d44c3f79f8fe5a1c516bdc0c70',
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
        digestOfSnapshot: '2a98a7ec87498567f70b1432058e59afc58aa8388a40a0ea6ee5b3f3e9214f74',
        digest: '4ba8432c65806350ee30df968a5994e4f33badb95842785917771abb40f07573',
      },
      {
        log: 'level-4-paper-post-only',
        digestOfSnapshot: 'dab6a3db9644eeec36bb61834c4127895f0e6cd52ce94dc4b77b7225b5d26456',
        digest: 'deab67bd8bc647990e01ab122c035e4a3d451a88de480d01f43d4a215d7ebc3e',
      },
      {
        log: 'level-4-deposits',
        digestOfSnapshot: '8ad7d71fdbcf496dc24fb2e69d10d4fea923827605a1ec4e238f201ce9bf529a',
        digest: '6c8fbb77295992a0f336090d9dbade5a3889a97629d05af3c90b06297f7a3f41',
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
        digestOfSnapshot: 'f4e83c3b33bda2a01bc2d6550ffd187d810486d0caf45c5ceec9a60d519e165a',
        digest: 'b73f1fc51a59ff54cfb82914c079f7e91775972ff0842e2ef78d0e44415bb6bf',
      },
      {
        log: 'level-5-paper-by-model',
        digestOfSnapshot: '3ed3602989d12544679d746f31a77c41a5cd6f254d1b187f3d50435049a5da00',
        digest: '463d8b30b159c752b032eaa1fd6cf0a2e8839ccf13dc23013e4ad9d6c535e676',
      },
      {
        log: 'level-5-deposits',
        digestOfSnapshot: 'a0c55ca032c9cf0450d10274a031cf5734230e2f94dbfde2ac4412413c13ebc0',
        digest: 'ba7846fd97251fa9161bc5b9b4d63dac5945cd702fcf7854bae8b2940f41c16f',
      },
      {
        log: 'level-5-deposits-by-model',
        digestOfSnapshot: '5c5d738b994b03edbfd9e4e0bdf9282f32143657c3cdfa36cd6ce300bc59bb18',
        digest: 'b6249b975420f7c8ccdfdf7f4b9951e263b58daaf749825a663e57cf1c780656',
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
        digestOfSnapshot: '490ff90423879cb26d23afaea096bd6dffb54ceef7dda638f1ae3b232f84f582',
        digest: '8ad584ed52aaf9cccdebdbcb8c62a83600798c8ae4e1e4d10b685ec95c6e1460',
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
    kinds: [...KINDS, ...CUSTODY_KINDS, 'batch', 'quote-set', 'rekey'],
    logs: [
      {
        log: 'level-7-paper',
        digestOfSnapshot: 'c74d7d4d4b0db78ebee62dbf256111b12d09407e9cf7855f8efb2df1954616ca',
        digest: '2ff5c98e81b5e27b789078bf0a06e44aaeacbb9f3d6363325e336da50d1d8b24',
      },
      {
        log: 'level-7-deposits',
        digestOfSnapshot: '263090faf28700dc8aa668cce848708e1183ced0ba3a0d541db99efd4ff80284',
        digest: '34f512cf55901b5fadb3af79dea0889640c0b0939f9af47517ef61bd2f65dcbe',
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
        const entries = recordedLog(log);
        const state = createState();
        replay(state, entries.slice(0, SNAPSHOT_SEQ));
        assert.deepEqual([...stateLines(state)], recordedSnapshot(log));
        assert.equal(stateDigest(state), digestOfSnapshot);
        replay(state, entries.slice(SNAPSHOT_SEQ));
        assert.equal(stateDigest(state), digest);
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
      const effects: Effects = { ...NO_EFFECTS, filled: (_, { kind }) => fills.add(kind) };
      for (const { log } of logs) {
        const entries = recordedLog(log);
        const state = createState();
        replay(state, entries, effects);
        for (const { kind } of entries) seen.add(kind);
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

test('OPS-1 the snapshots of level 7 say since when accounts are in call', () => {
  for (const { log } of LEVELS.find(({ level }) => level === 7)!.logs)
    assert.ok(restoreState(recordedSnapshot(log)).accounts.some(({ calledSince }) => calledSince !== null));
});

/** Applies recorded entries, each of which must encode to exactly the recorded bytes. */
function replay(state: State, entries: readonly RecordedEntry[], effects = NO_EFFECTS): void {
  for (const stored of entries) {
    const entry = decodeEntry(stored);
    assert.equal(Buffer.compare(encodeCommand(entry.command), stored.body), 0, `entry ${stored.seq}`);
    apply(state, entry, effects);
  }
}
