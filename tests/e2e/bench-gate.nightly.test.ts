/** The gate of speed on itself: short runs of every benchmark, for what it finds, not for speed. */

// @seconds 90

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkOut, HERE } from '../../bench/gate/checkout.ts';
import { compare, type GateOptions, type Roots } from '../../bench/gate/gate.ts';
import { fails, judge, type Pair } from '../../bench/gate/judge.ts';

const SHORT: GateOptions = {
  launches: 1,
  flows: [{ accounts: 40, entries: 2_000, slice: 500, warmPairs: 4, pairs: 4 }],
  fills: { singles: 20, warmPairs: 1, pairs: 3 },
  load: {
    traders: 8,
    connections: 4,
    orders: 100,
    batches: 4,
    readMs: 200,
    warmPairs: 1,
    pairs: 3,
  },
};

/** More than another program on the machine makes of equal rounds that follow each other. */
const CLEARLY = 2;
/** Where the planted waits come, and how long they are: each is many times what stands there. */
const PLANTED = [
  { path: 'packages/engine/src/engine.ts', after: '  state.seq = entry.seq;\n', ms: 0.1 },
  {
    path: 'packages/protocol/src/envelopes.ts',
    after: 'export function orderEnvelope(fields: OrderEnvelopeFields): string {\n',
    ms: 5,
  },
];

test('a commit costs about what it costs beside itself', async () => {
  for (const [what, { ratio }] of await comparedWith(() => {}))
    assert.ok(ratio < CLEARLY && ratio > 1 / CLEARLY, `${what}: ${ratio}`);
});

test('waits that are planted into entries and orders fail', async () => {
  const judged = await comparedWith((root) => {
    for (const { path, after, ms } of PLANTED) {
      const source = readFileSync(join(root, path), 'utf8');
      assert.ok(source.includes(after), path);
      const wait = `  for (const end = performance.now() + ${ms}; performance.now() < end; );\n`;
      writeFileSync(join(root, path), source.replace(after, `${after}${wait}`));
    }
  });
  for (const word of ['engine', 'fill', 'signed order']) {
    const [what, { verdict, ratio }] = [...judged].find(([name]) => name.startsWith(word))!;
    assert.ok(fails(verdict) && ratio > CLEARLY, `${what}: ${ratio}`);
  }
});

/** Compares this checkout with a copy of its newest commit that has been changed. */
async function comparedWith(change: (root: string) => void) {
  const checkout = checkOut('HEAD');
  try {
    change(checkout.root);
    const roots: Roots = { base: HERE, now: checkout.root };
    return await compare(roots, SHORT);
  } finally {
    checkout.remove();
  }
}

describe('costs are judged', () => {
  const launch = (...ratios: number[]): Pair[] =>
    ratios.map((ratio) => ({ base: { cpuUs: 10, wallUs: 20 }, now: { cpuUs: 10 * ratio, wallUs: 20 } }));
  const verdictOf = (...launches: Pair[][]) => judge(launches).verdict;

  test('by the median of pairs: worse is more than 5 % more', () => {
    assert.equal(verdictOf(launch(1, 1.05, 3)), 'ok');
    assert.equal(verdictOf(launch(1, 1.06, 3)), 'WORSE');
    assert.equal(verdictOf(launch(0.9, 0.94, 3)), 'better');
  });

  test('as untold where launches differ by more than 5 %, and as failed only if the centre is past it', () => {
    assert.equal(verdictOf(launch(1, 1), launch(1.02, 1.02), launch(1.07, 1.07)), 'cannot tell');
    assert.equal(verdictOf(launch(1, 1), launch(1.06, 1.06), launch(1.07, 1.07)), 'cannot tell, WORSE');
    assert.ok(fails('cannot tell, WORSE') && !fails('cannot tell'));
  });

  test('as told where launches differ, but on one side of the limit', () => {
    assert.equal(verdictOf(launch(1.2), launch(1.3), launch(1.4)), 'WORSE');
    assert.equal(verdictOf(launch(0.7), launch(0.8), launch(0.9)), 'better');
    assert.equal(verdictOf(launch(0.9), launch(0.95), launch(1.02)), 'ok');
  });
});
