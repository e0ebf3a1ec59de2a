/** Public reads, and both sides of the trade that they show. */

import { Venue } from '../support.ts';
import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket } from './market.ts';

const HOUR_MS = 3_600_000;
/** Reads that take a symbol and nothing else. */
const SYMBOL_PATHS = [
  ...['/v1/series', '/v1/tape', '/v1/trades', '/v1/settlements', '/v1/tickers', '/v1/volatility'],
];

export const MARKET: Chapter = {
  title: 'public reads',
  on: 'paper',
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const seriesId = market.series('C', 100_000);
    const expiryTs = String(market.expiries[1]);
    await market.quote(
      seriesId,
      [[2_400, 2]],
      [
        [2_500, 1],
        [2_600, 3],
      ],
    );
    const alice = await Player.enter(stage, 'Alice');
    await new Venue(stage.url).post('/v1/order', await alice.order({ seriesId, side: 'buy', qty: 0.5 }));

    const read = (path: string, summary: string, query: Record<string, string> = {}) =>
      scribe.record(stage, { operation: `GET ${path}`, name: 'found', summary, request: { query } });
    await read('/healthz', 'A paper venue that is up');
    await read('/v1/venue', 'The id that signed batches name');
    await read('/v1/reasons', 'Every refusal, by its code');
    await read('/v1/meta', 'Two underlyings with fresh prices');
    await read('/v1/series', 'The series of an underlying, its name in any case', { symbol: 'btc' });
    await read('/v1/chain', 'One expiry, quoted at one strike', { symbol: 'BTC', expiryTs });
    await read('/v1/book', 'Two offers and a bid', { seriesId });
    await read('/v1/tape', 'One print', { symbol: 'BTC' });
    await read('/v1/trades', 'One print', { symbol: 'BTC' });
    await read('/v1/candles', 'The minute in which it traded', { of: `trade:${seriesId}`, interval: '1m' });
    await read('/v1/tickers', 'One series quoted, the others not', { symbol: 'BTC' });
    await stage.pass(HOUR_MS);
    await read('/v1/iv', 'The hour that began', { symbol: 'BTC', expiryTs });
    await read('/v1/volatility', 'Too few strikes are quoted', { symbol: 'BTC' });
    await read('/v1/settlements', 'Nothing has settled yet', { symbol: 'BTC' });

    const refused = (path: string, name: string, query: Record<string, string>) =>
      scribe.record(stage, {
        operation: `GET ${path}`,
        name,
        summary: 'A name that nothing has',
        request: { query },
      });
    for (const path of SYMBOL_PATHS) await refused(path, 'unknownSymbol', { symbol: 'XYZ' });
    await refused('/v1/iv', 'unknownSymbol', { symbol: 'XYZ', expiryTs });
    await refused('/v1/chain', 'unknownSymbol', { symbol: 'XYZ', expiryTs });
    await refused('/v1/candles', 'unknownSymbol', { of: 'spot:XYZ', interval: '1h' });
    await refused('/v1/book', 'unknownSeries', { seriesId: market.series('C', 1) });
    await refused('/v1/trades', 'unknownSeries', { seriesId: market.series('C', 1) });
    await refused('/v1/candles', 'unknownSeries', { of: `mark:${market.series('C', 1)}`, interval: '1h' });
    await scribe.record(stage, {
      operation: 'GET /v1/trades',
      name: 'symbolOrSeries',
      summary: 'Neither an underlying nor a series',
      request: { query: {} },
    });
  },
};
