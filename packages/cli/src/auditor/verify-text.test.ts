import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VerifyReport } from '@venue/audit';
import { verifyText } from './verify-text.ts';

const ENTRIES = {
  fromSeq: 1,
  toSeq: 7,
  fromTs: Date.UTC(2026, 0, 5),
  toTs: Date.UTC(2026, 0, 6),
  kinds: { approve: 1, order: 6 },
  signatures: { approve: 1, order: 4 },
  unsigned: { order: 2 },
  voidRevocations: 0,
  skipped: [],
  chainHead: 'c0',
  custody: null,
  stateDigest: 'd1',
} satisfies VerifyReport['facts']['entries'];

const REPORT: VerifyReport = {
  log: 'sqlite:venue.db',
  archives: 0,
  snapshots: [{ seq: 5, found: 'the state after its entry' }],
  invariantChecks: 2,
  facts: {
    verdict: 'verified',
    fault: null,
    stamp: { format: '2', fundingMode: 'paper' },
    trusted: null,
    entries: ENTRIES,
    engineVersion: 1,
  },
  reportDigest: 'ab',
};

test('a report begins with the source and ends with the findings', () => {
  assert.equal(
    verifyText(REPORT).join('\n'),
    `log            sqlite:venue.db
snapshot       entry 5: the state after its entry
invariants     looked at 2 times

stamp          format=2, fundingMode=paper
entries        1 to 7, 2026-01-05T00:00:00.000Z to 2026-01-06T00:00:00.000Z
of them        approve 1, order 6
signatures     5 checked: approve 1, order 4
unsigned       2 writes: order 2
chain head     7:c0
state digest   d1
engine         version 1
report digest  ab
verified: entries 1 to 7`,
  );
});

test('the last line says what was taken on trust', () => {
  const facts = {
    ...REPORT.facts,
    trusted: { seq: 5, digest: 'e2' },
    entries: { ...ENTRIES, fromSeq: 6 },
  };
  const lines = verifyText({ ...REPORT, facts });
  assert.ok(lines.includes('on trust       entries 1 to 5, by the snapshot with digest e2'));
  assert.equal(
    lines.at(-1),
    'verified: entries 6 to 7; what came before was taken on trust from the snapshot of entry 5',
  );
  const none = { ...facts, entries: { ...ENTRIES, fromSeq: 8 } };
  assert.match(verifyText({ ...REPORT, facts: none }).at(-1)!, /^verified: the snapshot alone, as no entry/);
});

test('the last line names the fault', () => {
  const fault = { seq: 3, message: 'entry 3 is missing from the log' };
  const facts = { ...REPORT.facts, verdict: 'not verified' as const, fault, entries: null };
  assert.equal(verifyText({ ...REPORT, facts }).at(-1), 'NOT verified: entry 3 is missing from the log');
});

test('deposits mode shows money, exact however large', () => {
  const custody = {
    deposits: 2,
    depositedMicros: '9007199254740993000001',
    withdrawals: 1,
    pendingMicros: '0',
    committedMicros: '100500000',
    accountsMicros: '-1',
  };
  const lines = verifyText({ ...REPORT, facts: { ...REPORT.facts, entries: { ...ENTRIES, custody } } });
  assert.ok(lines.includes('deposits       2, 9007199254740993.000001 USD'));
  assert.ok(lines.includes('withdrawals    1, 0.00 USD pending, 100.50 USD committed'));
  assert.ok(lines.includes('accounts       -0.000001 USD'));
});
