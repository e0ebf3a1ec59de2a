import { describe, it } from 'node:test';
import { assertSeedAddsUp } from '../../test/history-sums.ts';

describe('the history of more seeded venues', () => {
  for (const [seed, custody] of [
    [7, false],
    [18, true],
  ] as const)
    it(`adds up to the micro for every account and any span of time (seed ${seed})`, () =>
      assertSeedAddsUp(seed, custody));
});
