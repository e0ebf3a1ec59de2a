import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Readiness } from './readiness.ts';

const CASES = [
  ['silences', { isCurrent: false, isHealthy: false }],
  ['fails', { isCurrent: true, isHealthy: false }],
  ['leaves', { isCurrent: true, isHealthy: true }],
] as const;

for (const [effect, expected] of CASES) {
  it(`a condition that ${effect} a node makes it unready, and ${JSON.stringify(expected)}`, () => {
    const readiness = new Readiness();
    let holds = false;
    readiness.watch({ reason: 'this', effect, holds: () => holds });
    readiness.watch({ reason: 'never', effect: 'silences', holds: () => false });
    for (const [value, health] of [
      [false, { isCurrent: true, isHealthy: true }],
      [true, expected],
    ] as const) {
      holds = value;
      const { isCurrent, isHealthy, reasons } = readiness;
      assert.deepEqual({ isCurrent, isHealthy }, health);
      assert.deepEqual(reasons, value ? ['this'] : []);
    }
  });
}
