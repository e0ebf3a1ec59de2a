import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPrints, shownErrors } from './rows.ts';

describe('bodies that are atomic by row (MM-3, FEED-1)', () => {
  it('gives 0 for an unrepresentable price, which the engine refuses', () => {
    assert.equal(readPrints([{ symbol: 'A', source: 's', price: 1e-7 }]).rows[0]?.priceMicros, 0);
  });

  it('shows the first twenty errors in the order of the push', () => {
    const errors = Array.from({ length: 30 }, (_, i) => ({ i: 29 - i, error: 'x' }));
    assert.deepEqual(
      shownErrors(errors).map(({ i }) => i),
      Array.from({ length: 20 }, (_, i) => i),
    );
  });
});
