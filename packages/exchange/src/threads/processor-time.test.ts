import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorMs } from './processor-time.ts';

describe('LOG-3: processor time', () => {
  it('grows with work, and neither with waiting nor with a clock that is set', async (t) => {
    const before = processorMs();
    for (let sum = 0; processorMs() < before + 2; sum++) assert.ok(sum < 1e9);
    const worked = processorMs();
    t.mock.method(Date, 'now', () => 0);
    t.mock.method(performance, 'now', () => 1e12);
    await sleep(300);
    const waitedMs = processorMs() - worked;
    assert.ok(waitedMs >= 0 && waitedMs < 200, `${waitedMs}`);
  });
});
