/** Rows of quotes as they are sent. */

import type { CompactQuote, PushForm, VerboseQuote } from '@venue/protocol';
import { checkInteger, wireNumber } from '../net/checks.ts';
import type { BytesForm, Quote, QuoteLevels, SidQuote } from './quote-terms.ts';

/** A push as it leaves, and what its signature calls it. */
export interface PushBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly form: PushForm;
}

/** The body of a push. Throws as `Quotes.push` says. */
export function pushBodyOf(
  rows: readonly (Quote | SidQuote)[],
  form: 'verbose' | 'compact' | 'binary',
  bytesForm: BytesForm | undefined,
): PushBody {
  if (!Array.isArray(rows)) throw new TypeError('rows must be a list');
  switch (form) {
    case 'binary':
      if (bytesForm === undefined) throw new TypeError('the binary form is at the main door, @venue/sdk');
      return { bytes: bytesForm.encode(rows), form: 'sqw1' };
    case 'compact':
      return jsonBody({ rows: rows.map(compactQuote) });
    case 'verbose':
      return jsonBody({ quotes: rows.map(verboseQuote) });
    default:
      throw new TypeError(`form must be verbose, compact or binary, not ${form satisfies never}`);
  }
}

function jsonBody(body: object): PushBody {
  return { bytes: new TextEncoder().encode(JSON.stringify(body)), form: 'json' };
}

function verboseQuote({ seriesId, bids, asks, iv, delta }: Quote): VerboseQuote {
  if (typeof seriesId !== 'string') throw new TypeError('seriesId must be a text');
  return {
    seriesId,
    ...(bids !== undefined && { bids: wireLevels(bids) }),
    ...(asks !== undefined && { asks: wireLevels(asks) }),
    ...(iv !== undefined && { iv }),
    ...(delta !== undefined && { delta }),
  };
}

function compactQuote([sid, bids, asks, iv = null, delta = null]: SidQuote): CompactQuote {
  return [checkInteger('sid', sid), wireLevels(bids), wireLevels(asks), iv, delta];
}

function wireLevels(levels: QuoteLevels): [number, number][] | null {
  return levels?.map(([price, qty]) => [wireNumber('price', price), wireNumber('qty', qty)]) ?? null;
}
