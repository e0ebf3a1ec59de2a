/**
 * The view as the fragment of the page's address: `BTC`, `BTC-1764374400`, a contract id, `BTC-1764374400-C-95000`, or
 * the legs in the strategy tray, `buy1.BTC-1764374400-C-95000,sell1.BTC-1764374400-C-97000`.
 */

import { parseSeriesId } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';

export interface Place {
  readonly symbol: string;
  /** Unix seconds; null for the next expiry. */
  readonly expiryTs: number | null;
  /** The contract in the ticket. */
  readonly seriesId: string | null;
  /** The legs in the tray, of any number and underlying; none of them is empty. */
  readonly legs: readonly SpreadLeg[] | null;
}

const SYMBOL_AND_EXPIRY = /^([A-Z0-9]{1,20})(?:-(\d{1,12}))?$/;
const LEG = /^(buy|sell)(\d{1,2})\.(.+)$/;
/** More than an order has; a longer list is no address of this page. */
const LEGS_MAX = 16;

/** Null where it cannot be parsed. */
export function parsePlace(hash: string): Place | null {
  const text = hash.replace(/^#/, '');
  const series = parseSeriesId(text);
  const legs = null;
  if (series !== undefined) return { symbol: series.symbol, expiryTs: series.expiryTs, seriesId: text, legs };
  if (LEG.test(text)) return placeOfLegs(text.split(','));
  const [, symbol, expiry] = SYMBOL_AND_EXPIRY.exec(text) ?? [];
  if (symbol === undefined) return null;
  return { symbol, expiryTs: expiry === undefined ? null : Number(expiry), seriesId: null, legs };
}

function placeOfLegs(texts: readonly string[]): Place | null {
  const legs = texts.slice(0, LEGS_MAX + 1).map(legOf);
  const [first] = legs;
  if (legs.length > LEGS_MAX || first == null || legs.includes(null)) return null;
  const { symbol, expiryTs } = parseSeriesId(first.seriesId)!;
  return { symbol, expiryTs, seriesId: null, legs: legs as SpreadLeg[] };
}

function legOf(text: string): SpreadLeg | null {
  const [, side, ratio, seriesId] = LEG.exec(text) ?? [];
  if (seriesId === undefined || parseSeriesId(seriesId) === undefined) return null;
  return { seriesId, side: side as SpreadLeg['side'], ratio: Number(ratio) };
}

/** @example placeText({ symbol: 'BTC', expiryTs: 1764374400, seriesId: null, legs: null }) // '#BTC-1764374400' */
export function placeText({ symbol, expiryTs, seriesId, legs }: Place): string {
  if (legs !== null) return `#${legs.map((leg) => `${leg.side}${leg.ratio}.${leg.seriesId}`).join(',')}`;
  if (seriesId !== null) return `#${seriesId}`;
  return expiryTs === null ? `#${symbol}` : `#${symbol}-${expiryTs}`;
}
