import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gauge, parseMetrics } from './metrics.ts';

const TEXT = `# HELP venue_feed_age_seconds since the newest print
# TYPE venue_feed_age_seconds gauge
venue_feed_age_seconds{symbol="BTC"} 0.25
venue_feed_age_seconds{symbol="E\\"T,H"} NaN
venue_house_loss_dollars -1.5e3
`;

it('reads samples with their labels, and no comments', () => {
  const samples = parseMetrics(TEXT);
  const [btc, odd] = samples.get('venue_feed_age_seconds')!;
  assert.deepEqual(btc, { labels: { symbol: 'BTC' }, value: 0.25 });
  assert.deepEqual([odd!.labels.symbol, odd!.value], ['E"T,H', Number.NaN]);
  assert.equal(gauge(samples, 'venue_house_loss_dollars'), -1500);
  assert.equal(samples.size, 2);
  assert.ok(Number.isNaN(gauge(samples, 'venue_none')));
});
