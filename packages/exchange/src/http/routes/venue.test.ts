import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { VenueSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { pricedVenue, startVenue } from '../../../test/support.ts';

const EDGE_LIMITS = new URL('../../../../../deploy/nginx/venue/limits.conf', import.meta.url);

it('VEN-2: the venue says who it is, which rules are in force, and its limits', async (t) => {
  const venue = await pricedVenue();
  t.after(() => venue.exchange.stop());
  const before = Date.now();
  const { status, body, headers } = await venue.get('/v1/venue');
  assert.equal(status, 200);
  const answer = Compile(VenueSchema);
  assert.ok(answer.Check(body), JSON.stringify(answer.Errors(body)));
  const { venue: id, time, seq, limits, ...rest } = body;
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.ok(time >= before && time <= Date.now());
  assert.equal(headers.get('x-venue-seq'), String(seq));
  assert.deepEqual(rest, {
    fundingMode: 'paper',
    riskMark: 'book',
    jumpStopBps: 0,
    marginPremium: 'mark',
    simulatedPrices: false,
    takerFeeBps: 50,
    receiptKey: null,
  });
  assert.deepEqual(
    [limits.actionsPerBatch, limits.timedOrders, limits.guardMsMin, limits.guardMsMax, limits.nonceWindowMs],
    [64, 1_024, 5_000, 600_000, 60_000],
  );
  assert.deepEqual(
    [limits.quoteSets, limits.setLevels, limits.windowMsMin, limits.windowMsMax, limits.frozenMsMax],
    [16, 4_096, 100, 600_000, 86_400_000],
  );
});

it('VEN-2 the limits that parameters set are those in force', async (t) => {
  const env = { VENUE_QUOTE_TTL_MS: '7000', VENUE_NONCES_PER_KEY: '5', VENUE_SET_LEVELS_MAX: '9' };
  const venue = await startVenue(env);
  t.after(() => venue.exchange.stop());
  const { quoteTtlMs, noncesPerKey, setLevelsOfAll } = (await venue.get('/v1/venue')).body.limits;
  assert.deepEqual([quoteTtlMs, noncesPerKey, setLevelsOfAll], [7_000, 5, 9]);
});

it('HTTP-10: the limits a minute are those of the edge', async (t) => {
  const venue = await startVenue();
  t.after(() => venue.exchange.stop());
  const { limits } = (await venue.get('/v1/venue')).body;
  const zones = readFileSync(EDGE_LIMITS, 'utf8').matchAll(/zone=(\w+):\S+\s+rate=(\d+)r\/m;/g);
  const rates = Object.fromEntries([...zones].map(([, zone, rate]) => [zone, Number(rate)]));
  assert.deepEqual(
    [rates.orders, rates.cancels, rates.batches, rates.pushes],
    [limits.ordersPerMinute, limits.cancelsPerMinute, limits.batchesPerMinute, limits.pushesPerMinute],
  );
  assert.deepEqual(
    [rates.auth, rates.other, rates.reserves, rates.streams],
    [limits.signInsPerMinute, limits.requestsPerMinute, limits.reservesPerMinute, limits.streamsPerMinute],
  );
});

it('VEN-1: a venue keeps its id, and another has another', async (t) => {
  const first = await startVenue();
  const { venue: id } = (await first.get('/v1/venue')).body;
  await first.exchange.stop();
  const again = await startVenue({ VENUE_STRIKES_PER_SIDE: '3' }, { store: first.store });
  const other = await startVenue();
  t.after(() => Promise.all([again, other].map(({ exchange }) => exchange.stop())));
  assert.equal((await again.get('/v1/venue')).body.venue, id);
  assert.notEqual((await other.get('/v1/venue')).body.venue, id);
});
