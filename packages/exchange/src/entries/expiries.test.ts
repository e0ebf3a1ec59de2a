import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expiryInstants } from './expiries.ts';

const at = (iso: string): number => Date.parse(iso);
const listedAt = (iso: string): string[] =>
  expiryInstants(at(iso)).map((ts) => new Date(ts * 1000).toISOString().replace(':00.000Z', ''));

describe('expiry instants (LIST-4, FINE-5)', () => {
  it('lists 7 dailies, 8 Fridays and third Fridays on a quiet winter Monday', () => {
    // Monday 2025-01-06, 12:00 in New York; 20:00 there is 01:00 UTC of the next day.
    assert.deepEqual(listedAt('2025-01-06T17:00:00Z'), [
      '2025-01-07T01:00',
      '2025-01-08T01:00',
      '2025-01-09T01:00',
      '2025-01-10T01:00',
      '2025-01-11T01:00',
      '2025-01-12T01:00',
      '2025-01-13T01:00',
      '2025-01-18T01:00',
      '2025-01-25T01:00',
      '2025-02-01T01:00',
      '2025-02-08T01:00',
      '2025-02-15T01:00',
      '2025-02-22T01:00',
      '2025-03-01T01:00',
      // The third Friday of March is the 21st, the latest there can be, and already in daylight time.
      '2025-03-22T00:00',
    ]);
  });

  it('takes the third Friday on the 15th, the earliest there can be', () => {
    assert.ok(listedAt('2024-02-20T17:00:00Z').includes('2024-03-16T00:00'));
    assert.ok(!listedAt('2024-02-20T17:00:00Z').includes('2024-05-25T00:00'));
  });

  it('counts today until its own 20:00, but not from that instant on', () => {
    const cutoff = at('2025-01-07T01:00:00Z');
    assert.equal(expiryInstants(cutoff - 1)[0], cutoff / 1000);
    assert.equal(expiryInstants(cutoff)[0], cutoff / 1000 + 86_400);
    assert.equal(expiryInstants(cutoff).filter((ts) => ts * 1000 <= cutoff + 7 * 86_400_000).length, 7);
  });

  it('gives days of 23 and 25 hours where the clocks change', () => {
    const spring = expiryInstants(at('2025-03-07T17:00:00Z')).slice(0, 7);
    assert.deepEqual(
      spring.slice(1).map((ts, i) => (ts - spring[i]!) / 3600),
      [24, 23, 24, 24, 24, 24],
    );
    const autumn = expiryInstants(at('2025-10-31T16:00:00Z')).slice(0, 7);
    assert.deepEqual(
      autumn.slice(1).map((ts, i) => (ts - autumn[i]!) / 3600),
      [24, 25, 24, 24, 24, 24],
    );
  });

  it('puts every expiry at 20:00 in New York on every day of two years, whatever the hour', () => {
    for (let day = 0; day < 730; day++) {
      const now = at('2025-01-01T00:30:00Z') + day * 86_400_000 + (day % 24) * 3_600_000;
      const instants = expiryInstants(now);
      for (const ts of instants) {
        const local = Temporal.Instant.fromEpochMilliseconds(ts * 1000).toZonedDateTimeISO(
          'America/New_York',
        );
        assert.equal(local.toPlainTime().toString(), '20:00:00');
        assert.ok(ts * 1000 > now);
      }
      assert.deepEqual(
        instants,
        [...new Set(instants)].sort((a, b) => a - b),
      );
      const fridays = instants.filter((ts) => new Date(ts * 1000 - 12 * 3_600_000).getUTCDay() === 5);
      assert.ok(fridays.length >= 8 && fridays.length <= 11, `${fridays.length} Fridays on day ${day}`);
    }
  });

  it('includes a third Friday exactly three calendar months ahead, and month ends shorten the horizon', () => {
    // 2025-03-20 + 3 months = 2025-06-20, a third Friday.
    assert.ok(listedAt('2025-03-20T16:00:00Z').includes('2025-06-21T00:00'));
    assert.ok(!listedAt('2025-03-19T16:00:00Z').includes('2025-06-21T00:00'));
    // 30 November + 3 months is the last day of February; the third Friday of February lies inside it.
    assert.ok(listedAt('2025-11-30T16:00:00Z').includes('2026-02-21T01:00'));
    assert.ok(!listedAt('2025-11-30T16:00:00Z').includes('2026-03-21T00:00'));
  });
});
