import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '@venue/protocol';
import { auditEntryText } from './audit-text.ts';

const entry: AuditEntry = {
  n: 3,
  ts: Date.UTC(2026, 10, 21, 1, 5),
  seq: 9,
  seriesId: 'BTC-1764378000-C-100000',
  symbol: 'BTC',
  expiryTs: 1_764_378_000,
  price: 101_505,
  anchor: 100_500,
  deviationBps: 100,
  priceMicros: 101_505_000_000,
  anchorMicros: 100_500_000_000,
  deviationMicroBps: 100_000_000,
  boundBps: 100,
  gates: [{ gate: 'first secret', passed: true }],
  accepted: true,
  reason: null,
  previousHash: '0'.repeat(64),
  hash: 'a'.repeat(64),
};

test('an attempt shows time, target, price, anchor, deviation, bound, gates and outcome', () => {
  assert.equal(
    auditEntryText(entry),
    `#3 2026-11-21T01:05:00.000Z BTC-1764378000-C-100000 at 101505
  anchor 100500, deviation 100 bps, bound 100 bps
  first secret: passed
  accepted
`,
  );
});

test('absent values are named, and a closed gate stands out', () => {
  const gates = [
    { gate: 'first secret', passed: false },
    { gate: 'anchor', passed: null },
  ];
  const refused = { ...entry, gates, accepted: false, reason: 'wrong credential' };
  const nothing = {
    seriesId: null,
    symbol: null,
    expiryTs: null,
    price: null,
    anchor: null,
    deviationBps: null,
  };
  assert.equal(
    auditEntryText({ ...refused, ...nothing }),
    `#3 2026-11-21T01:05:00.000Z no target at no price
  anchor none, deviation unknown, bound 100 bps
  first secret: SHUT, anchor: not checked
  refused: wrong credential
`,
  );
  assert.match(
    auditEntryText({ ...entry, seriesId: null }),
    /BTC 1764378000 \(2025-11-29T01:00:00.000Z\) at/,
  );
  assert.match(auditEntryText({ ...entry, seriesId: null, expiryTs: 9e15 }), /BTC 9000000000000000 at/);
});

test('a name set by a stranger cannot control the terminal', () => {
  const text = auditEntryText({ ...entry, seriesId: 'x\u001b[2J\n#4 \u202e\u009b31m' });
  assert.match(text, /"x\\u001b\[2J\\n#4 \\u202e\\u009b31m"/);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[^\x20-\x7e]/);
});
