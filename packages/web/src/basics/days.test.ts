import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAfterMs, dayMs, dayOf } from './days.ts';

test("days begin and end at the reader's midnight, also at month and year ends", () => {
  for (const day of ['2025-12-31', '2024-02-29', '2026-03-29', '2026-10-25']) {
    assert.equal(dayOf(dayMs(day)), day);
    assert.equal(dayOf(dayAfterMs(day) - 1), day);
    assert.notEqual(dayOf(dayAfterMs(day)), day);
  }
});
