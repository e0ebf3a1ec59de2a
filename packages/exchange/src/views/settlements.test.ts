import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditLog, Decision, Instrument } from '@venue/engine';
import { type AuditRecord, clampMicros, toMicros } from '@venue/protocol';
import { auditView, settlementsView } from './settlements.ts';

function instrument(decisions: Partial<Decision>[]): Instrument {
  const map = new Map<number, Decision>();
  const one = { symbol: 'BTC', decisions: map } as Instrument;
  for (const decision of decisions) {
    map.set(decision.expiryTs!, {
      instrument: one,
      sources: [],
      dispersionMicroBps: null,
      anchorMicros: null,
      refusal: null,
      judgedAt: 0,
      priceMicros: null,
      decidedAt: null,
      by: null,
      ...decision,
    } as Decision);
  }
  return one;
}

const priced = (expiryTs: number, decidedAt: number): Partial<Decision> => ({
  expiryTs,
  decidedAt,
  priceMicros: toMicros(1),
  by: 'oracle',
});

test('ORA-2: decisions are newest first, at equal times by later expiry, and 500 are shown', () => {
  const { settlements } = settlementsView(
    instrument([priced(1, 10), priced(3, 5), priced(2, 10), priced(4, 7)]),
  );
  assert.deepEqual(
    settlements.map(({ expiryTs }) => expiryTs),
    [2, 1, 4, 3],
  );
  const many = settlementsView(instrument(Array.from({ length: 510 }, (_, i) => priced(i, i))));
  assert.deepEqual(
    [many.settlements.length, many.settlements[0]!.expiryTs, many.settlements.at(-1)!.expiryTs],
    [500, 509, 10],
  );
});

test('ORA-2: expiries awaiting review are listed separately until somebody sets a price', () => {
  const refused = { refusal: 'dispersion too wide', judgedAt: 9 } as const;
  const list = settlementsView(
    instrument([
      { ...refused, expiryTs: 1 },
      { ...refused, ...priced(2, 20), by: 'hand' },
      { ...refused, expiryTs: 3, judgedAt: 11, anchorMicros: toMicros(2_500_000) },
    ]),
  );
  assert.deepEqual(
    list.settlements.map(({ expiryTs, by }) => [expiryTs, by]),
    [[2, 'hand']],
  );
  assert.deepEqual(
    list.refused!.map(({ expiryTs, reason, anchor }) => [expiryTs, reason, anchor]),
    [
      [3, 'dispersion too wide', 2.5],
      [1, 'dispersion too wide', null],
    ],
  );
});

test('PAY-3: attempts are found by number even after the oldest have gone', () => {
  const deviationMicroBps = clampMicros(Number.MAX_SAFE_INTEGER);
  const entries = Array.from({ length: 1_500 }, (_, i) => ({ n: 101 + i, gates: [], deviationMicroBps }));
  const log = { entries: entries as unknown as AuditRecord[] } as AuditLog;
  const span = (after: number | null) => {
    const list = auditView(log, after);
    return [list.length, list[0]?.n, list.at(-1)?.n];
  };
  assert.deepEqual(span(null), [1_000, 601, 1_600]);
  assert.deepEqual(span(0), [1_000, 101, 1_100]);
  assert.deepEqual(span(100), [1_000, 101, 1_100]);
  assert.deepEqual(span(101), [1_000, 102, 1_101]);
  assert.deepEqual(span(1_599), [1, 1_600, 1_600]);
  assert.deepEqual(span(1_600), [0, undefined, undefined]);
  assert.equal(auditView(log, null)[0]!.deviationMicroBps, deviationMicroBps);
});
