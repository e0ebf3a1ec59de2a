import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MemoryStore } from '@venue/log';
import { holdWaits } from '../test/held-waits.ts';
import { signIn, startVenue, type Venue, waitFor } from '../test/support.ts';

const NO_ROOM = [503, { error: 'not ready: no room for the log' }];
const DRAINING = [503, { error: 'not ready: draining' }];
const OK = [200, { ok: true }];

async function ask(venue: Venue, path: string): Promise<unknown[]> {
  const { status, body } = await venue.get(path);
  return [status, body];
}

async function gauges(venue: Venue, ...names: string[]): Promise<number[]> {
  const text = await (await fetch(`${venue.url}/metrics`)).text();
  return names.map((name) => Number(new RegExp(`^${name} (\\d)$`, 'm').exec(text)?.[1]));
}

const isHealthy = async (venue: Venue): Promise<boolean> => (await venue.get('/healthz')).body.ok;

// A tick would come in an hour; the refusal of a write brings it forward.
for (const maintenanceMs of [100, 3_600_000]) {
  it(`HTTP-6: a node without room for its log is unhealthy until a write succeeds, ticks every ${maintenanceMs} ms`, async (t) => {
    const store = new MemoryStore();
    const venue = await startVenue({ VENUE_MAINTENANCE_MS: String(maintenanceMs) }, { store });
    t.after(() => venue.exchange.stop());
    const { token } = await signIn(venue);
    assert.deepEqual(await gauges(venue, 'venue_log_writable', 'venue_node_ready'), [1, 1]);
    store.hasRoom = false;
    const refused = await venue.post('/v1/margin', { enabled: true }, { token });
    assert.deepEqual([refused.status, refused.body], [500, { error: 'internal error' }]);
    assert.deepEqual(await ask(venue, '/readyz'), NO_ROOM);
    assert.equal(await isHealthy(venue), false);
    assert.deepEqual(await ask(venue, '/livez'), OK);
    assert.deepEqual(await gauges(venue, 'venue_log_writable', 'venue_node_ready'), [0, 0]);
    assert.equal((await venue.get('/v1/me', { token })).status, 200);
    store.hasRoom = true;
    await waitFor(async () => (await isHealthy(venue)) || undefined);
    assert.deepEqual(await ask(venue, '/readyz'), OK);
    assert.deepEqual(await gauges(venue, 'venue_log_writable', 'venue_node_ready'), [1, 1]);
  });
}

it('HTTP-6: a draining node is not ready, and answers everything until the time is up', async (t) => {
  const drainMs = 5_000;
  const venue = await startVenue({ VENUE_DRAIN_MS: String(drainMs) });
  const { token } = await signIn(venue);
  const drains = holdWaits(t, drainMs);
  const stopped = venue.exchange.stop();
  assert.deepEqual(await ask(venue, '/readyz'), DRAINING);
  assert.equal(await isHealthy(venue), true);
  const answer = await venue.post('/v1/margin', { enabled: true }, { token });
  assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'keep-alive']);
  assert.equal(drains.length, 1);
  drains[0]!.end();
  await stopped;
  await assert.rejects(venue.get('/livez'));
});
