import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMarketOpen } from './market-hours.ts';

const HOURS: [string, string, boolean][] = [
  ['Monday 09:29:59 in winter', '2025-01-06T14:29:59Z', false],
  ['Monday 09:30 in winter', '2025-01-06T14:30:00Z', true],
  ['Friday 15:59:59 in winter', '2025-01-10T20:59:59Z', true],
  ['Friday 16:00 in winter', '2025-01-10T21:00:00Z', false],
  ['Monday 09:30 in summer', '2025-07-07T13:30:00Z', true],
  ['Monday 09:29 in summer', '2025-07-07T13:29:00Z', false],
  ['Saturday noon', '2025-01-11T17:00:00Z', false],
  ['Sunday noon', '2025-01-12T17:00:00Z', false],
];

describe('hours of the primary market (SESS-OPEN)', () => {
  for (const [name, iso, open] of HOURS) {
    it(`${open ? 'open' : 'closed'} on ${name}`, () => {
      assert.equal(isMarketOpen('equity', Date.parse(iso)), open);
      assert.equal(isMarketOpen('index', Date.parse(iso)), open);
      assert.equal(isMarketOpen('crypto', Date.parse(iso)), true);
    });
  }
});
