/**
 * The view as the fragment of the page's address: `BTC`, `BTC-1764374400`, or a contract id, `BTC-1764374400-C-95000`.
 */

import { parseSeriesId } from '@venue/protocol';

export interface Place {
  readonly symbol: string;
  /** Unix seconds; null for the next expiry. */
  readonly expiryTs: number | null;
  /** The contract in the ticket. */
  readonly seriesId: string | null;
}

const SYMBOL_AND_EXPIRY = /^([A-Z0-9]{1,20})(?:-(\d{1,12}))?$/;

/** Null where it cannot be parsed. */
export function parsePlace(hash: string): Place | null {
  const text = hash.replace(/^#/, '');
  const series = parseSeriesId(text);
  if (series !== undefined) return { symbol: series.symbol, expiryTs: series.expiryTs, seriesId: text };
  const [, symbol, expiry] = SYMBOL_AND_EXPIRY.exec(text) ?? [];
  if (symbol === undefined) return null;
  return { symbol, expiryTs: expiry === undefined ? null : Number(expiry), seriesId: null };
}

/** @example placeText({ symbol: 'BTC', expiryTs: 1764374400, seriesId: null }) // '#BTC-1764374400' */
export function placeText({ symbol, expiryTs, seriesId }: Place): string {
  if (seriesId !== null) return `#${seriesId}`;
  return expiryTs === null ? `#${symbol}` : `#${symbol}-${expiryTs}`;
}
