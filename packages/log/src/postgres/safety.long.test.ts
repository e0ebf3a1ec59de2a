// @seconds 5

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SafetySettings, safetyWarnings, singleServer } from './safety.ts';

const SAFE: SafetySettings = {
  synchronousCommit: 'on',
  synchronousStandbyNames: 'ANY 1 (n2, n3)',
  fsync: 'on',
  fullPageWrites: 'on',
};

test('a commit that a majority of servers stores causes no warning', () => {
  for (const synchronousStandbyNames of [
    'ANY 1 (n2, n3)',
    'FIRST 1 (n2, "n 3, old")',
    '2 (a, b, c)',
    'any 2 (a,b,c,d)',
    'n2',
    'n2, n3',
    '*',
    'ANY 1 (*)',
  ]) {
    assert.deepEqual(safetyWarnings({ ...SAFE, synchronousStandbyNames }), [], synchronousStandbyNames);
  }
  assert.deepEqual(safetyWarnings({ ...SAFE, synchronousCommit: 'remote_apply' }), []);
});

test('PG-3: a single server is reported, with what to do about it', () => {
  assert.equal(singleServer(SAFE), undefined);
  assert.equal(singleServer({ ...SAFE, synchronousCommit: 'remote_write' }), undefined);
  const alone: readonly (readonly [Partial<SafetySettings>, RegExp])[] = [
    [{ synchronousStandbyNames: ' ' }, /\(synchronous_standby_names is empty\)/],
    [{ synchronousCommit: 'local' }, /\(synchronous_commit is local\)/],
    [{ synchronousCommit: 'off' }, /\(synchronous_commit is off\), .* VENUE_LOG_SINGLE=1/],
  ];
  for (const [setting, refusal] of alone) assert.match(singleServer({ ...SAFE, ...setting })!, refusal);
});

const WEAK: readonly (readonly [Partial<SafetySettings>, RegExp])[] = [
  [{ fsync: 'off' }, /^fsync is off: a crash of the server can lose or damage/],
  [{ fullPageWrites: 'off' }, /^full_page_writes is off: a power cut/],
  [{ synchronousCommit: 'off' }, /^synchronous_commit is off: a crash of PostgreSQL can lose/],
  [{ synchronousCommit: 'local' }, /^synchronous_commit is local: a fail-over can lose/],
  [{ synchronousCommit: 'remote_write' }, /^synchronous_commit is remote_write: .* power/],
  [{ synchronousStandbyNames: ' ' }, /^synchronous_standby_names is empty: .* on one server/],
  [{ synchronousStandbyNames: 'ANY 1 (a, b, c)' }, /waits for 1 of 3 standbys, fewer than a majority/],
  [{ synchronousStandbyNames: 'a, b, c, d' }, /waits for 1 of 4 standbys/],
];

for (const [weakness, warning] of WEAK) {
  test(`the effect of ${JSON.stringify(weakness)} is reported in one line`, () => {
    const warnings = safetyWarnings({ ...SAFE, ...weakness });
    assert.equal(warnings.length, 1, warnings.join('; '));
    assert.match(warnings[0]!, warning);
    assert.ok(!warnings[0]!.includes('\n'));
  });
}
