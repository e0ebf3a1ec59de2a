import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  DEPOSITS,
  FEED_TOKEN,
  type Json,
  MAKER_TOKEN,
  pricedVenue,
  Venue,
  waitFor,
} from '../../../test/support.ts';
import { loadConfig, loadFollowerConfig } from '../../config.ts';
import { startExchange, startFollower } from '../../node.ts';

const PAST = { VENUE_SIMULATED_PAST: '1' };
const DAY_MS = 86_400_000;

describe('HIS-5: the past of a simulated market', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-past-'));
  after(() => rmSync(folder, { recursive: true }));

  it('is in charts of spots, marked as computed, and nowhere else', async () => {
    const venue = await pricedVenue(PAST);
    const { seriesId } = await venue.listed('BTC');
    const candles = async (query: string): Promise<Json> => (await venue.get(`/v1/candles?of=${query}`)).body;
    const days = (await candles('spot:BTC&interval=1d')).candles;
    assert.equal(days.length, 91);
    assert.ok(days.every(({ simulated }: Json) => simulated));
    assert.equal(days.at(-1).c, 100_000);
    const minutes = (await candles('spot:BTC&interval=1m')).candles;
    assert.equal(minutes.length, 1_500);
    const [before, first] = minutes.slice(-2);
    assert.deepEqual([before.c, before.simulated, before.t + 60_000], [100_000, true, first.t]);
    const { t, ...prices } = first;
    assert.deepEqual(prices, { o: 100_000, h: 100_000, l: 100_000, c: 100_000 });
    const oldest = await candles(`spot:BTC&interval=1m&from=0&to=${days[1].t + DAY_MS}`);
    assert.deepEqual([oldest.candles[0].t, oldest.candles[0].o], [days[0].t, days[0].o]);
    assert.equal(oldest.next, days[0].t + 1_500 * 60_000);
    assert.deepEqual((await candles(`mark:${seriesId}&interval=1d`)).candles, []);
    const { instruments } = (await venue.get('/v1/meta')).body;
    const spots = instruments.map(({ symbol, spot }: Json) => [symbol, spot]);
    assert.deepEqual(spots.slice(0, 2), [
      ['BTC', 100_000],
      ['ETH', 0],
    ]);
    assert.deepEqual((await candles('spot:ETH&interval=1d')).candles, []);
    assert.deepEqual((await venue.get('/v1/settlements?symbol=BTC')).body.settlements, []);
    await venue.exchange.stop();
  });

  it('is shown by no node that was not told to', async () => {
    const venue = await pricedVenue();
    const { candles } = (await venue.get('/v1/candles?of=spot:BTC&interval=1d')).body;
    assert.deepEqual(
      candles.map(({ o, simulated }: Json) => [o, simulated]),
      [[100_000, undefined]],
    );
    await venue.exchange.stop();
  });

  it('is refused with real money, and a follower of such a log shows none', async () => {
    const log = {
      VENUE_PORT: '0',
      VENUE_LOG_LEVEL: 'silent',
      VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`,
    };
    const real = { ...DEPOSITS, ...log, VENUE_FEED_TOKEN: FEED_TOKEN, VENUE_MAKER_TOKEN: MAKER_TOKEN };
    assert.throws(() => loadConfig({ ...real, ...PAST }), /^ConfigError: VENUE_SIMULATED_PAST is for paper/);
    const node = await startExchange(loadConfig(real));
    await new Venue(node.url).feed([{ symbol: 'BTC', source: 'kraken:trades', price: 100_000 }]);
    const follower = await startFollower(loadFollowerConfig({ ...log, ...PAST }));
    const [shown, ...more] = await waitFor(async () => {
      const { body } = await new Venue(follower.url).get('/v1/candles?of=spot:BTC&interval=1d');
      return body.candles?.length > 0 ? body.candles : undefined;
    });
    assert.deepEqual([more, shown.o, shown.simulated], [[], 100_000, undefined]);
    await follower.stop();
    await node.stop();
  });
});
