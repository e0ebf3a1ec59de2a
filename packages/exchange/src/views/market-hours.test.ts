import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMarketOpen, unknownHolidays } from './market-hours.ts';

const HOURS: [string, string, boolean][] = [
  ['Monday 09:29:59 in winter', '2025-01-06T14:29:59Z', false],
  ['Monday 09:30 in winter', '2025-01-06T14:30:00Z', true],
  ['Friday 15:59:59 in winter', '2025-01-10T20:59:59Z', true],
  ['Friday 16:00 in winter', '2025-01-10T21:00:00Z', false],
  ['Monday 09:30 in summer', '2025-07-07T13:30:00Z', true],
  ['Monday 09:29 in summer', '2025-07-07T13:29:00Z', false],
  ['Saturday noon', '2025-01-11T17:00:00Z', false],
  ['Sunday noon', '2025-01-12T17:00:00Z', false],
  ['Thanksgiving', '2026-11-26T17:00:00Z', false],
  ['Christmas', '2026-12-25T17:00:00Z', false],
  ['a half day 12:59:59', '2026-11-27T17:59:59Z', true],
  ['a half day 13:00', '2026-11-27T18:00:00Z', false],
  ['Christmas of a year that is not known', '2028-12-25T17:00:00Z', true],
];

describe('hours of the primary market (SESS-OPEN)', () => {
  for (const [name, iso, open] of HOURS) {
    it(`${open ? 'open' : 'closed'} on ${name}`, () => {
      assert.equal(isMarketOpen('equity', Date.parse(iso)), open);
      assert.equal(isMarketOpen('index', Date.parse(iso)), open);
      assert.equal(isMarketOpen('crypto', Date.parse(iso)), true);
    });
  }

  it('says a quarter before the last known year ends that no more is known, where a market has holidays', () => {
    const [known, past] = [Date.parse('2027-09-30T17:00:00Z'), Date.parse('2027-10-01T17:00:00Z')];
    assert.equal(unknownHolidays(['crypto', 'equity'], known), null);
    for (const later of [past, Date.parse('2031-01-03T17:00:00Z')])
      assert.match(unknownHolidays(['crypto', 'index'], later)!, /known up to 2027/);
    assert.equal(unknownHolidays(['crypto'], past), null);
  });
});
