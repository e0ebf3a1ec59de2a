import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEPOSITS, startVenue } from '../../../test/support.ts';
import { checkExchange } from '../../check.ts';

const SIMULATED = { symbol: 'BTC', source: 'sim:trades', price: 100_000 };
const REAL = { symbol: 'BTC', source: 'kraken:trades', price: 99_000 };
const SECRETS = { VENUE_FEED_TOKEN: 'f'.repeat(32), VENUE_MAKER_TOKEN: 'm'.repeat(32) };

describe('FEED-1: simulated prices', () => {
  it('are refused with real money, and no print of the request is taken', async () => {
    const venue = await startVenue(DEPOSITS);
    const { status, body } = await venue.feed([REAL, SIMULATED]);
    assert.deepEqual([status, body], [400, { error: 'simulated prices are not taken with real money' }]);
    assert.equal((await venue.get('/v1/meta')).body.instruments[0].feedFresh, false);
    assert.equal((await venue.feed([REAL])).body.accepted, 1);
    assert.equal((await venue.get('/v1/venue')).body.simulatedPrices, false);
    await venue.exchange.stop();
  });

  it('are taken by a demo, which says so before there are any', async () => {
    const venue = await startVenue({ ...DEPOSITS, VENUE_SIMULATED_PRICES: '1' });
    assert.equal((await venue.get('/v1/venue')).body.simulatedPrices, true);
    assert.equal((await venue.feed([SIMULATED])).body.accepted, 1);
    await venue.exchange.stop();
  });

  it('are told on paper money as long as one of them is in a spot', async () => {
    const venue = await startVenue({ VENUE_ORACLE_STALE_MS: '1000' });
    const isTold = async () => (await venue.get('/v1/venue')).body.simulatedPrices;
    assert.equal(await isTold(), false);
    await venue.feed([SIMULATED, REAL]);
    assert.equal(await isTold(), true);
    const deadline = Date.now() + 60_000;
    while (await isTold()) {
      assert.ok(Date.now() < deadline, 'a source that is silent is forgotten');
      await new Promise((resolve) => setTimeout(resolve, 50));
      await venue.feed([REAL]);
    }
    await venue.exchange.stop();
  });

  it('are found by --check of an exchange with real money', async () => {
    const env = { ...DEPOSITS, ...SECRETS, VENUE_LOG: 'sqlite:/nowhere/venue.db' };
    const found = async (value: string) =>
      (await checkExchange({ ...env, VENUE_SIMULATED_PRICES: value })).find(({ text }) =>
        /simulated/.test(text),
      );
    assert.deepEqual(await found('0'), {
      ok: true,
      text: 'simulated prices are refused; the feed needs a VENUE_FEED_SOURCE',
    });
    assert.equal((await found('1'))?.ok, false);
  });
});
