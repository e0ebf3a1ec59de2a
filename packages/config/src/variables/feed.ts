/** Variables of the feed, except its address and secret. */

import { basisPoints, bySymbol, feedIds, hiddenUrl, milliseconds, oneOf, pair, SECRET } from '../kinds.ts';
import { variable } from '../variable.ts';

export const FEED = {
  VENUE_FEED_SOURCE: variable(oneOf('crypto', 'pyth', 'crypto,pyth', 'simulated'), {
    readBy: ['feed'],
    meaning: 'the source of prices, unless an option of `venue feed` names it',
    absent: '`simulated` with paper money; refused with real money',
    code: 'FEED-1',
  }),
  VENUE_FEED_TICK_MS: variable(milliseconds(10, 30_000), {
    readBy: ['feed'],
    meaning: 'the time between two posts of prices',
    default: 250,
  }),
  VENUE_FEED_OUTLIER_BPS: variable(basisPoints(10, 5_000), {
    readBy: ['feed'],
    meaning: 'the jump above which a live price needs confirmation',
    default: 500,
  }),
  VENUE_FEED_MAX_AGE_MS: variable(milliseconds(1_000, 60_000), {
    readBy: ['feed'],
    meaning: 'the age above which a live price is dropped',
    default: 10_000,
  }),
  VENUE_FEED_SILENCE_MS: variable(milliseconds(100, 60_000), {
    readBy: ['feed'],
    meaning: 'the silence after which a live upstream is reconnected',
    default: 15_000,
  }),
  VENUE_CRYPTO_URL: variable(hiddenUrl('ws'), {
    readBy: ['feed'],
    meaning: 'the source of live crypto prices',
    default: 'wss://ws.kraken.com/v2',
  }),
  VENUE_CRYPTO_PAIRS: variable(bySymbol('BTC=BTC/USD', pair), {
    readBy: ['feed'],
    meaning: 'the pairs not named SYMBOL/USD there',
    absent: 'none',
  }),
  VENUE_PYTH_URL: variable(hiddenUrl('http'), {
    readBy: ['feed'],
    meaning: 'the source of live equity and index prices',
    default: 'https://hermes.pyth.network',
  }),
  VENUE_PYTH_IDS: variable(bySymbol('AAPL=0x…+0x…', feedIds), {
    readBy: ['feed'],
    meaning: 'the ids of price feeds there',
    absent: 'looked up by symbol',
  }),
  VENUE_PYTH_TOKEN: variable(SECRET, {
    readBy: ['feed'],
    meaning: 'the bearer token for Hermes',
    absent: 'none',
    secret: true,
  }),
};
