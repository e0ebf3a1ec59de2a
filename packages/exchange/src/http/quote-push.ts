/** Reads a push of the maker in any of its three forms, row by row (MM-2, MM-3, FINE-15, OWN-53). */

import { rowFault, type State } from '@venue/engine';
import {
  type CompactQuote,
  decimalToMicros,
  decodeQuotes,
  filled,
  GAP_MESSAGES,
  type MicrosLevel,
  type MicrosQuote,
  malformed,
  QuoteCodecError,
  type QuotesBody,
  REJECT,
  ROW_REJECT,
  type RowFault,
  type VerboseQuote,
  type QuoteLevel as WireLevel,
} from '@venue/protocol';
import { CompactQuoteSchema, VerboseQuoteSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { HttpError } from './errors.ts';
import { CONTAINERS_MAX } from './json.ts';
import { type SoundRows, split } from './rows.ts';

/** A row with its index in the push. */
export interface PlacedQuote {
  readonly i: number;
  readonly row: MicrosQuote;
}

export interface QuotePush extends SoundRows<PlacedQuote> {
  readonly unknownSids: readonly number[];
}

const MALFORMED = ROW_REJECT.malformedRow;
const compactQuote = Compile(CompactQuoteSchema);
const verboseQuote = Compile(VerboseQuoteSchema);

/**
 * The rows of a body, with series as sids. Refuses every row that the engine would refuse regardless of the book, so
 * that no push, however often repeated, fills the log with it. Throws the refusal of a body in none of the three
 * forms.
 */
export function readPush(state: State, body: QuotesBody | Uint8Array): QuotePush {
  const read = readRows(state, body);
  const rowErrors = [...read.rowErrors];
  const unknownSids = new Set<number>();
  const rows = read.rows.filter(({ i, row }) => {
    if (state.series[row.sid] === undefined) {
      unknownSids.add(row.sid);
      return false;
    }
    const error = rowFault(state, row);
    if (error !== null) rowErrors.push({ i, error });
    return error === null;
  });
  return { rows, rowErrors, unknownSids: [...unknownSids] };
}

function readRows(state: State, body: QuotesBody | Uint8Array): SoundRows<PlacedQuote> {
  if (body instanceof Uint8Array)
    return split<MicrosQuote, PlacedQuote, RowFault>(decodedRows(body), readBinary);
  if ('rows' in body && 'quotes' in body) throw new HttpError(malformed('rows beside quotes'));
  if ('rows' in body) return split<unknown, PlacedQuote, RowFault>(body.rows, readCompact);
  return split<unknown, PlacedQuote, RowFault>(body.quotes, (row, i) => readVerbose(state, row, i));
}

/** In JSON every row and every level is a container, so bytes may hold no more of them (OWN-62). */
function decodedRows(bytes: Uint8Array): MicrosQuote[] {
  try {
    return decodeQuotes(bytes, CONTAINERS_MAX);
  } catch (error) {
    if (error instanceof QuoteCodecError)
      throw new HttpError(filled(GAP_MESSAGES.pushMalformed, { fault: error.message }));
    throw error;
  }
}

/** In bytes a volatility may be a value that JSON cannot express. */
function readBinary(row: MicrosQuote, i: number): PlacedQuote | RowFault {
  const { iv = 1, delta = 1 } = row;
  if (!Number.isFinite(iv) || !Number.isFinite(delta)) return MALFORMED;
  return { i, row: iv === 0 || delta === 0 ? { ...row, ...annotations(row) } : row };
}

/** `[sid, bids, asks, iv?, delta?]` */
function readCompact(raw: unknown, i: number): PlacedQuote | RowFault {
  if (!compactQuote.Check(raw)) return MALFORMED;
  const [sid, bids, asks, iv, delta] = raw as CompactQuote;
  return { i, row: { sid, bids: levelsOf(bids), asks: levelsOf(asks), ...annotations({ iv, delta }) } };
}

/** `{seriesId, bids, asks, iv, delta}`; an absent side is left as it is. */
function readVerbose(state: State, raw: unknown, i: number): PlacedQuote | RowFault {
  if (!verboseQuote.Check(raw)) return MALFORMED;
  const { seriesId, bids, asks, ...rest } = raw as VerboseQuote;
  const series = state.seriesById.get(seriesId);
  if (series === undefined) return REJECT.unknownSeries;
  return { i, row: { sid: series.sid, bids: levelsOf(bids), asks: levelsOf(asks), ...annotations(rest) } };
}

interface Annotations {
  readonly iv?: number | null | undefined;
  readonly delta?: number | null | undefined;
}

/** Adding zero turns a negative zero, which JSON cannot carry, into zero. */
function annotations({ iv, delta }: Annotations): { iv?: number; delta?: number } {
  return {
    ...(typeof iv === 'number' && { iv: iv + 0 }),
    ...(typeof delta === 'number' && { delta: delta + 0 }),
  };
}

function levelsOf(levels: readonly WireLevel[] | null | undefined): MicrosLevel[] | null {
  return levels?.map((level) => [soundMicros(level[0]), soundMicros(level[1])]) ?? null;
}

/** 0 for an amount that is not positive or not representable, which the engine refuses. */
function soundMicros(decimal: number): number {
  return Math.max(0, decimalToMicros(decimal) ?? 0);
}
