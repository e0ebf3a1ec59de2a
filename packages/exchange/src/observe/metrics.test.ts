import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LocalVenue, OPERATOR_TOKEN, pricedVenue, signIn } from '../../test/support.ts';

type Samples = ReadonlyMap<string, number>;

async function textOf({ url }: LocalVenue, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/metrics`, { headers });
}

/** Each sample by its name and labels, as in the text. */
async function samplesOf(venue: LocalVenue): Promise<Samples> {
  const lines = (await (await textOf(venue)).text()).split('\n').filter((line) => !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const METRICS_TOKEN = 'metrics-secret-of-32-characters--';

describe('the metrics of a node', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue({ VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN, VENUE_METRICS_TOKEN: METRICS_TOKEN });
  });
  after(() => venue.exchange.stop());

  it('are text for Prometheus, and follow events', async () => {
    const { seriesId, sid } = await venue.listed('BTC');
    const earlier = await samplesOf(venue);
    const { token } = await signIn(venue);
    await venue.quote({ rows: [[sid, [[3, 1]], [[4, 5]], 0.5, 0.5]] });
    const order = { seriesId, side: 'buy', qty: 1 };
    const { body } = await venue.post('/v1/order', order, { token });
    assert.equal(body.status, 'filled');
    await venue.get('/v1/nowhere');
    const later = await samplesOf(venue);
    const change = (name: string) => later.get(name)! - (earlier.get(name) ?? 0);
    assert.equal(change('venue_accounts'), 1);
    assert.equal(change('venue_orders_resting'), 2);
    assert.equal(change('venue_marks'), 1);
    assert.ok(change('venue_snapshot_replay_seconds') > 0);
    assert.equal(later.get('venue_fees_dollars'), 0.02);
    const answered = (route: string, status: string, method = 'GET') =>
      change(
        `venue_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );
    assert.equal(answered('/v1/order', '2xx', 'POST'), 1);
    assert.equal(answered('none', '4xx'), 1);
    assert.ok(change('venue_log_position') >= 3);
    assert.equal(change('venue_applied_entries_total'), change('venue_log_batch_entries_sum'));
    assert.ok(change('venue_log_flush_seconds_count') > 0 && change('venue_apply_seconds_count') > 0);
    assert.ok(later.get('venue_feed_age_seconds{symbol="BTC"}')! < 60);
    assert.equal(later.get('venue_node_current'), 1);
    assert.ok(later.get('nodejs_eventloop_lag_p99_seconds')! >= 0);
  });

  it('are for this machine, or for the metrics token alone (OWN-71)', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    assert.equal((await textOf(venue)).status, 200);
    assert.equal((await textOf(venue, forwarded)).status, 403);
    assert.equal((await textOf(venue, { forwarded: 'for=203.0.113.9' })).status, 403);
    for (const wrong of [OPERATOR_TOKEN, '', `${METRICS_TOKEN}x`])
      assert.equal(
        (await textOf(venue, { ...forwarded, authorization: `Bearer ${wrong}` })).status,
        403,
        wrong,
      );
    assert.equal((await textOf(venue, { ...forwarded, 'x-operator-token': OPERATOR_TOKEN })).status, 403);
    const allowed = await textOf(venue, { ...forwarded, authorization: `Bearer ${METRICS_TOKEN}` });
    assert.equal(allowed.status, 200);
    assert.match(allowed.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  });
});
