/** The only file of the feed that reads its environment. */

import { SYMBOL } from '@venue/protocol';
import { isHeaderText, venueUrlFault } from '@venue/sdk';
import { FeedConfigError } from './config-error.ts';
import { type InstrumentProfile, isAssetClass, profileOf } from './instruments.ts';
import { type LiveConfig, readLiveConfig } from './upstream/live-config.ts';

export interface FeedConfig {
  readonly url: string;
  readonly feedToken: string;
  readonly instruments: readonly InstrumentProfile[];
  /** Time between two posts. */
  readonly tickMs: number;
  readonly live: LiveConfig;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SYMBOLS = 'BTC:crypto,ETH:crypto,AAPL:equity,SPX:index';
const TICK_MS = 250;
const TICK_MAX_MS = 30_000;

/** Reads the feed's variables, an empty one as absent; throws `FeedConfigError` for a missing or wrong one. */
export function loadFeedConfig(env: Environment): FeedConfig {
  return {
    url: urlOf(env.VENUE_URL || 'http://127.0.0.1:8080'),
    feedToken: tokenOf(env.VENUE_FEED_TOKEN),
    instruments: instrumentsOf(env.VENUE_SYMBOLS || SYMBOLS),
    tickMs: tickMsOf(env.VENUE_FEED_TICK_MS || String(TICK_MS)),
    live: readLiveConfig(env),
  };
}

function urlOf(text: string): string {
  const fault = venueUrlFault(text);
  if (fault !== null) throw new FeedConfigError(`VENUE_URL ${fault}`);
  return text;
}

function tokenOf(text: string | undefined): string {
  if (!text)
    throw new FeedConfigError('VENUE_FEED_TOKEN is not set: it is the secret that lets a feed post prices');
  if (!isHeaderText(text)) throw new FeedConfigError('VENUE_FEED_TOKEN must be ASCII without spaces');
  return text;
}

function instrumentsOf(text: string): InstrumentProfile[] {
  const instruments = text.split(',').map(instrumentOf);
  if (new Set(instruments.map(({ symbol }) => symbol)).size < instruments.length) {
    throw new FeedConfigError(`VENUE_SYMBOLS must name every symbol once, not "${text}"`);
  }
  return instruments;
}

function instrumentOf(text: string): InstrumentProfile {
  const [symbol = '', assetClass = '', ...rest] = text.trim().split(':');
  if (rest.length > 0 || !SYMBOL.test(symbol) || !isAssetClass(assetClass)) {
    throw new FeedConfigError(
      `VENUE_SYMBOLS must be a list like BTC:crypto,AAPL:equity,SPX:index; "${text}" is no entry of one`,
    );
  }
  return profileOf(symbol, assetClass);
}

function tickMsOf(text: string): number {
  const tickMs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (tickMs < 10 || tickMs > TICK_MAX_MS) {
    throw new FeedConfigError(
      `VENUE_FEED_TICK_MS must be an integer from 10 to ${TICK_MAX_MS}, not "${text}"`,
    );
  }
  return tickMs;
}
