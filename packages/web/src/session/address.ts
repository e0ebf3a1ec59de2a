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

export interface ReadAddress {
  /** The view, or the nearest to one that cannot be read as a whole; null for none. */
  readonly place: Place | null;
  /** Why the view is not all that the address names, in a sentence that repeats nothing of it. */
  readonly fault: string | null;
}

const NEAREST = /^(?:(?:buy|sell)\d+\.)?([A-Z0-9]{1,20})(?=-|$)(?:-(\d{1,11})(?!\d))?/;
const SYMBOL_AND_EXPIRY = /^[A-Z0-9]{1,20}(?:-\d{1,11})?$/;
const LEG = /^(buy|sell)(\d{1,2})\.(.+)$/;
/** More than an order has; a longer list is no address of this page. */
const LEGS_MAX = 16;
/** Longer than sixteen legs. */
const CHARACTERS_MAX = 1_000;

const UNREADABLE = 'The address names nothing that can be traded here.';
const ODD_LEG = 'One of its legs is no contract.';
const TWICE = 'It names a contract twice.';
const TOO_MANY = 'It names more legs than an order has.';

/** Never throws. An empty address names no view, and has no fault. */
export function readAddress(hash: string): ReadAddress {
  if (hash.length > CHARACTERS_MAX) return { place: null, fault: UNREADABLE };
  const text = inCase(decoded(hash.replace(/^#/, '')));
  if (text === '') return { place: null, fault: null };
  const series = parseSeriesId(text);
  if (series !== undefined) {
    const { symbol, expiryTs } = series;
    return { place: { symbol, expiryTs, seriesId: text, legs: null }, fault: null };
  }
  if (LEG.test(text)) return readLegs(text);
  const place = nearestOf(text);
  return { place, fault: place !== null && SYMBOL_AND_EXPIRY.test(text) ? null : UNREADABLE };
}

/** Programs that pass a link on may have encoded its commas. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Contracts are in capital letters and sides in small ones, however the link was written. */
function inCase(text: string): string {
  return text.toUpperCase().replace(/(?<=^|,)(?:BUY|SELL)(?=\d+\.)/g, (side) => side.toLowerCase());
}

/** The underlying and the expiry with which a text begins. */
function nearestOf(text: string): Place | null {
  const [, symbol, expiry] = NEAREST.exec(text) ?? [];
  if (symbol === undefined) return null;
  return { symbol, expiryTs: expiry === undefined ? null : Number(expiry), seriesId: null, legs: null };
}

function readLegs(text: string): ReadAddress {
  const texts = text.split(',');
  const legs = texts.map(legOf).filter((leg) => leg !== null);
  const nearest = nearestOf(text);
  if (texts.length > LEGS_MAX) return { place: nearest, fault: TOO_MANY };
  if (legs.length < texts.length || nearest === null) return { place: nearest, fault: ODD_LEG };
  if (new Set(legs.map(({ seriesId }) => seriesId)).size < legs.length)
    return { place: nearest, fault: TWICE };
  return { place: { ...nearest, legs }, fault: null };
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

/**
 * Decides between a new entry of the browser's history and none. Going back turns to another underlying, expiry or
 * contract, and to or from the tray; not through every change of its legs, nor through what only completes a view.
 */
export function isNewEntry(before: Place | null, after: Place): boolean {
  if (before === null || placeText(before) === placeText(after)) return false;
  if (before.legs !== null && after.legs !== null) return false;
  return before.expiryTs !== null || before.symbol !== after.symbol;
}
