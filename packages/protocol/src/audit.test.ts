import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { AUDIT_GENESIS, type AuditFacts, auditHash, auditText, type SettlementAttempt } from './audit.ts';
import { toMicros } from './units.ts';

const REFUSED: AuditFacts = {
  n: 1,
  ts: 1_764_374_405_123,
  seq: 812,
  seriesId: 'AAPL-1764374400-C-190.5',
  symbol: 'AAPL',
  expiryTs: 1_764_374_400,
  priceMicros: toMicros(203_500_000),
  anchorMicros: toMicros(200_000_000),
  deviationMicroBps: toMicros(175_000_000),
  boundBps: 100,
  gates: [
    { gate: 'first secret', passed: true },
    { gate: 'within bound', passed: false },
    { gate: 'payable', passed: null },
  ],
  reason: 'price outside the bound of the last oracle print',
  previousHash: AUDIT_GENESIS,
};

const PLACE = { n: 2, ts: 1_764_374_405_124, seq: 813, previousHash: AUDIT_GENESIS } as const;

describe('the text of an audit entry', () => {
  it('has one line per fact', () => {
    assert.equal(
      auditText(REFUSED),
      [
        'Venue audit v1',
        'n: 1',
        'ts: 1764374405123',
        'seq: 812',
        'series: "AAPL-1764374400-C-190.5"',
        'symbol: "AAPL"',
        'expiry: 1764374400',
        'price: 203.5',
        'anchor: 200',
        'deviation bps: 175',
        'bound bps: 100',
        'gates: first secret=true within bound=false payable=-',
        'reason: "price outside the bound of the last oracle print"',
        `previous: ${'0'.repeat(64)}`,
      ].join('\n'),
    );
  });

  it('CUS-10: has one line more for an attempt by one of two people', () => {
    const step = { act: 'confirm', proposal: 810, secret: 2 } as const;
    const lines = auditText(REFUSED).split('\n');
    const text = (step: SettlementAttempt['step']) =>
      auditText({ ...REFUSED, ...(step && { step }) }).split('\n');
    assert.deepEqual(text(step), lines.toSpliced(4, 0, 'step: confirm proposal=810 secret=2'));
    assert.equal(
      text({ act: 'propose', proposal: null, secret: null })[4],
      'step: propose proposal=- secret=-',
    );
  });

  it('OPS-2: has one line more for an operator with a name, whatever was done', () => {
    const action = { action: 'void', terms: '{"id":7,"reason":"paid twice"}', reason: null };
    for (const facts of [REFUSED, { ...PLACE, ...action }]) {
      const named = auditText({ ...facts, by: 'ann' }).split('\n');
      assert.deepEqual(named, auditText(facts).split('\n').toSpliced(4, 0, 'by: "ann"'));
    }
  });

  it('cannot be forged by a name containing a line break', () => {
    const text = auditText({ ...REFUSED, symbol: 'A\nexpiry: 1', seriesId: null });
    assert.equal(text.split('\n').length, auditText(REFUSED).split('\n').length);
  });

  it('is hashed by SHA-256, and every fact changes the hash', () => {
    const digest = createHash('sha256').update(auditText(REFUSED), 'utf8').digest('hex');
    assert.equal(auditHash(REFUSED), digest);
    const changes: Partial<AuditFacts>[] = [
      { n: 2 },
      { ts: 0 },
      { seq: 813 },
      { by: 'ann' },
      { by: 'bo' },
      { step: { act: 'propose', proposal: 812, secret: 1 } },
      { step: { act: 'confirm', proposal: 812, secret: 1 } },
      { step: { act: 'propose', proposal: 813, secret: 1 } },
      { step: { act: 'propose', proposal: 812, secret: 2 } },
      { seriesId: null },
      { symbol: null },
      { expiryTs: null },
      { priceMicros: null },
      { anchorMicros: null },
      { deviationMicroBps: null },
      { boundBps: 101 },
      { gates: REFUSED.gates.slice(1) },
      { gates: REFUSED.gates.map((gate) => ({ ...gate, passed: true })) },
      { reason: null },
      { previousHash: digest },
    ];
    const hashes = changes.map((change) => auditHash({ ...REFUSED, ...change }));
    assert.equal(new Set([digest, ...hashes]).size, changes.length + 1);
  });
});
