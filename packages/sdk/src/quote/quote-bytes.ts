/** Pushes of quotes in the binary form. */

import {
  declined,
  decodeQuotesAnswer,
  encodeQuotes,
  type MicrosLevel,
  type MicrosQuote,
  QUOTES_CONTENT_TYPE,
  type QuotesAnswer,
  type SetPushAnswer,
} from '@venue/protocol';
import { checkInteger, exactMicros } from '../net/checks.ts';
import type { BytesForm, QuoteLevels, SidQuote } from './quote-terms.ts';

/** Throws as `exactMicros` does for an amount, and `RangeError` for a sid that is none. */
export const BYTES_FORM: BytesForm = {
  contentType: QUOTES_CONTENT_TYPE,
  encode: (rows) => new Uint8Array(encodeQuotes(rows.map(microsQuote))),
  decode: (answer) => withCodes(decodeQuotesAnswer(answer)),
};

/** In bytes an error of a row has its text alone. */
function withCodes({ rowErrors, ...answer }: QuotesAnswer): SetPushAnswer {
  return { ...answer, rowErrors: rowErrors.map(({ i, error }) => ({ i, error, ...declined(error) })) };
}

function microsQuote([sid, bids, asks, iv, delta]: SidQuote): MicrosQuote {
  return {
    sid: checkInteger('sid', sid),
    bids: microsLevels(bids),
    asks: microsLevels(asks),
    ...(typeof iv === 'number' && { iv }),
    ...(typeof delta === 'number' && { delta }),
  };
}

function microsLevels(levels: QuoteLevels): MicrosLevel[] | null {
  return levels?.map(([price, qty]) => [exactMicros('price', price), exactMicros('qty', qty)]) ?? null;
}
