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
        digestOfSnapshot: '690bd00d127deb3fe85bfe5525036e391ec3495f15c2b38ed6c973c94f6bc605',
        digest: '73a27b15a47338df83a73c40fe3b074413d3df36341e836127ff8b2529457925',
      },
      {
        log: 'level-4-paper-post-only',
        digestOfSnapshot: 'aa63254b8099196cf3cd93728f5cd2c9bed83544e00311b4f57db24ceb786903',
        digest: '3cfd67051157457f7bc2238cfb5a8e70cbdc02f06b257337ded15812d8021cfa',
      },
      {
        log: 'level-4-deposits',
        digestOfSnapshot: 'ab5cb89a82ca14ab451cf35b1446eb218f22855a07a834228db0974844b4e01b',
        digest: 'bca75ad77cd9f3f6f832a5c446217a7d53e5a0abe60d57e62a2a59ba5ceace9e',
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
        digestOfSnapshot: '5d34ac3bfce240b068d624e712e276a343b0ed3c018ddaaf8619fdd505f86ef9',
        digest: '10d0e078a78a5a3a2d5d4714da0e8a184c234d496e82b8c8ae8713f60cdfb7f6',
      },
      {
        log: 'level-5-paper-by-model',
        digestOfSnapshot: '31fd1d1b3be899ba7a7920ce131f2a24debd351a42079b9c0f58dffa93596a86',
        digest: '461464a1c0c6eb0239d9ebf848a9f6ce100a357792ef2c6d0b3143ffa7965dd3',
      },
      {
        log: 'level-5-deposits',
        digestOfSnapshot: '1584e19ae570a2949029a551ede570d621f4bfd4bec119f5c44c6ac350fbbd29',
        digest: '9dee8c848e6948248f88589113630690cc5a4f9e4b8cf7399eccff8f0be8035f',
      },
      {
        log: 'level-5-deposits-by-model',
        digestOfSnapshot: '03c101c4573dc4ec70d34f7226235714446ec0dd62318f090e8dec04fff34396',
        digest: '8909059fbfeeef05d8bc915acc4dabc66b0b1bba45d28b6c403f475b1d1aa1f7',
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
        digestOfSnapshot: '56c0a2061883d8aa7ba7a9f5de4fb0872c67255216cdd275cb43a4fb80adf3a7',
        digest: 'd2b549284145677d90f258103e15ab43121c962af384055f48a83daae93ec25a',
      },
      {
        log: 'level-6-deposits',
        digestOfSnapshot: 'f3aaa3d20825fdec318b718f7ff52755c5fe376c31529384d2e51bab055ba598',
        digest: '2f3d1421e3e4bc245857735fdc5fcfa4e59971f7a25b28b86b5dc2bd4b084b74',
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
        digestOfSnapshot: 'dfa03a84179154b239b22f88e3d45c650becdfc7768e1cb7d0c602b987192384',
        digest: 'a6751d8f19d1946094ba61affa066438acb022102f2ba64c2020d31a4792d04b',
      },
      {
        log: 'level-7-deposits',
        digestOfSnapshot: 'b3bda2274011b4373adc54e308110cc0e1ed1e8372b27584626a4d2ce44aeba8',
        digest: '2d38af1741a58182a58045a17214ef37d16dc3ac58ba8fa6c5a3ea500cab9a84',
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
