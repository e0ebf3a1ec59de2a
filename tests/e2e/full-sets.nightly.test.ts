/** A venue that strangers have filled with quote levels to its bounds: its memory, its ticks and its restart. */

// @seconds 40

import { test } from 'node:test';
import { checkFull, FULL, measure } from '../../bench/engine/full-sets.ts';

test('QTS-2: at the bounds of levels, memory, ticks and restart stay within theirs', async () => {
  checkFull(await measure(FULL));
});
