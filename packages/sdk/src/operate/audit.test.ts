import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AUDIT_GENESIS,
  type AuditEntry,
  auditHash,
  clampMicros,
  type Micros,
  microsToDecimal,
  toMicros,
} from '@venue/protocol';
import { verifyAudit } from './audit.ts';

/** Entries as a service writes them. The second one's deviation is too large to be exact as a decimal. */
function chain(length: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let n = 1; n <= length; n++) {
    const deviation = n === 2 ? clampMicros(Number.MAX_SAFE_INTEGER) : toMicros(n * 1_000);
    const amounts = { priceMicros: toMicros(n), anchorMicros: null, deviationMicroBps: deviation };
    const facts = {
      n,
      ts: n,
      seq: 10 * n,
      seriesId: 'BTC-1-C-1',
      symbol: null,
      expiryTs: null,
      ...amounts,
      boundBps: 100,
      gates: [{ gate: 'first secret', passed: false }],
      reason: n % 2 === 0 ? null : 'wrong credential',
      previousHash: entries.at(-1)?.hash ?? AUDIT_GENESIS,
    };
    entries.push({
      ...facts,
      price: microsToDecimal(amounts.priceMicros as Micros),
      anchor: null,
      deviationBps: microsToDecimal(deviation),
      accepted: facts.reason === null,
      hash: auditHash(facts),
    });
  }
  return entries;
}

test('an untouched audit is intact, even an empty one', async () => {
  const entries = chain(4);
  const head = entries[3]!.hash;
  assert.deepEqual(await verifyAudit(entries), { count: 4, firstN: 1, head, hasNotedHead: null });
  assert.deepEqual(await verifyAudit([]), {
    count: 0,
    firstN: null,
    head: AUDIT_GENESIS,
    hasNotedHead: null,
  });
  const later = await verifyAudit(entries.slice(2));
  assert.deepEqual(later, { count: 2, firstN: 3, head, hasNotedHead: null });
});

test('a noted head stands in every later audit, and in none that was cut or rewritten', async () => {
  const entries = chain(4);
  const heads = [AUDIT_GENESIS, ...entries.map(({ hash }) => hash)];
  const has = async (list: AuditEntry[], head: string) => {
    const verdict = await verifyAudit(list, head);
    return 'fault' in verdict ? verdict.fault : verdict.hasNotedHead;
  };
  for (const head of heads) assert.equal(await has(entries, head), true);
  assert.equal(await has(entries.slice(0, 3), heads[4]!), false);
  assert.equal(await has([], heads[1]!), false);
  assert.equal(await has([], AUDIT_GENESIS), true);
  assert.equal(await has(entries.slice(2), heads[2]!), true);
  assert.equal(await has(entries.slice(2), heads[1]!), false);
});

const FORGERIES: [string, (entries: AuditEntry[]) => AuditEntry[], string][] = [
  ['an omitted entry', (list) => list.toSpliced(1, 1), 'entry 3 follows entry 1'],
  ['a repeated entry', (list) => list.toSpliced(1, 0, list[0]!), 'entry 1 follows entry 1'],
  [
    'an omitted entry and the rest renumbered',
    (list) => [list[0]!, { ...list[2]!, n: 2 }],
    'entry 2 does not name the hash of the one before it',
  ],
  [
    'the first entry of another chain',
    (list) => [{ ...list[0]!, previousHash: 'f'.repeat(64) }],
    'entry 1 does not name the hash of the one before it',
  ],
  [
    'a changed price and decimal',
    (list) => list.with(2, { ...list[2]!, price: 0.000004, priceMicros: 4 }),
    'entry 3 does not have the hash of what it says',
  ],
  [
    'a changed decimal of the price',
    (list) => list.with(2, { ...list[2]!, price: 4 }),
    'entry 3 shows other amounts than it was hashed with',
  ],
  [
    'an amount that was not hashed',
    (list) => list.with(2, { ...list[2]!, anchor: 4 }),
    'entry 3 shows other amounts than it was hashed with',
  ],
  [
    'an outcome at odds with its reason',
    (list) => list.with(2, { ...list[2]!, accepted: true }),
    'entry 3 contradicts its own outcome',
  ],
  [
    'a closed gate shown as open',
    (list) => list.with(2, { ...list[2]!, gates: [{ gate: 'first secret', passed: true }] }),
    'entry 3 does not have the hash of what it says',
  ],
];
for (const [title, forge, fault] of FORGERIES) {
  test(`an audit with ${title} is not intact`, async () => {
    assert.deepEqual(await verifyAudit(forge(chain(4))), { fault });
  });
}
