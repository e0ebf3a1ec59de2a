import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Venue } from '../../test/venue.ts';
import { ENTRY, floorMicros, MAINTENANCE, RiskCharges, shockMicros } from './risk-charges.ts';

test('MAR-1 charges follow the spot, over more series than there was room for', () => {
  const { series } = Venue.listed().state;
  assert.ok(series.length > 64);
  const charges = new RiskCharges();
  for (const spot of [200e6, 201.5e6, 150e6]) {
    series[0]!.instrument.spotMicros = spot as never;
    for (const one of [...series, ...series.toReversed()]) {
      const at = (level: typeof ENTRY) => Math.max(shockMicros(one, level), floorMicros(one, level));
      assert.deepEqual(
        [charges.entryMicros(one), charges.maintenanceMicros(one)],
        [at(ENTRY), at(MAINTENANCE)],
      );
    }
  }
});
