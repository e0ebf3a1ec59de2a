/** Bodies that are atomic by row: a malformed row is reported, the others apply (MM-3, FEED-1). */

import type { PrintRow, QuoteLevel, QuoteRow, RowError } from '@venue/engine';
import {
  type CompactQuote,
  decimalToMicros,
  type FeedPrint,
  type VerboseQuote,
  type QuoteLevel as WireLevel,
} from '@venue/protocol';
import { CompactQuoteSchema, FeedPrintSchema, VerboseQuoteSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/compile';
import { compileCheck } from './validate.ts';

const ROW_ERRORS_SHOWN = 20;
const MALFORMED = 'malformed row';

export interface SoundRows<T> {
  readonly rows: T[];
  readonly rowErrors: RowError[];
}

/** A print that knows its place in the push as it was sent. */
export type PlacedPrint = PrintRow & { readonly i: number };

const checkPrint = compileCheck('print', FeedPrintSchema);
const compactQuote = Compile(CompactQuoteSchema);
const verboseQuote = Compile(VerboseQuoteSchema);

export function readPrints(prints: readonly unknown[]): SoundRows<PlacedPrint> {
  return split(prints, (print, i) => {
    const fault = checkPrint(print);
    if (fault !== null) return fault.error;
    const { symbol, source, price } = print as FeedPrint;
    return { i, symbol, source, priceMicros: decimalToMicros(price) ?? 0 };
  });
}

/** Rows `[sid, bids, asks, iv?, delta?]`. */
export function readCompactQuotes(quotes: readonly unknown[]): SoundRows<QuoteRow> {
  return split(quotes, (row, i) => {
    if (!compactQuote.Check(row)) return MALFORMED;
    const [sid, bids, asks, iv, delta] = row as CompactQuote;
    return quoteRow(i, sid, { bids, asks, iv, delta });
  });
}

/** Rows `{seriesId, bids, asks, iv, delta}`; a side that is absent is left as it is. */
export function readVerboseQuotes(quotes: readonly unknown[]): SoundRows<QuoteRow> {
  return split(quotes, (row, i) => {
    if (!verboseQuote.Check(row)) return MALFORMED;
    return quoteRow(i, row.seriesId, row as VerboseQuote);
  });
}

/** The first rows that were at fault, in the order of the push. */
export function shownErrors(rowErrors: readonly RowError[]): RowError[] {
  return rowErrors.toSorted((a, b) => a.i - b.i).slice(0, ROW_ERRORS_SHOWN);
}

function split<T extends object>(
  raw: readonly unknown[],
  read: (row: unknown, i: number) => T | string,
): SoundRows<T> {
  const rows: T[] = [];
  const rowErrors: RowError[] = [];
  for (const [i, row] of raw.entries()) {
    const result = read(row, i);
    if (typeof result === 'string') rowErrors.push({ i, error: result });
    else rows.push(result);
  }
  return { rows, rowErrors };
}

interface Ladder {
  readonly bids?: readonly WireLevel[] | null;
  readonly asks?: readonly WireLevel[] | null;
  readonly iv?: number | null | undefined;
  readonly delta?: number | null | undefined;
}

function quoteRow(i: number, series: number | string, { bids, asks, iv, delta }: Ladder): QuoteRow {
  return {
    i,
    series,
    bids: levelsOf(bids),
    asks: levelsOf(asks),
    // Adding zero turns a negative zero, which the log could not carry, into zero.
    ...(typeof iv === 'number' && { iv: iv + 0 }),
    ...(typeof delta === 'number' && { delta: delta + 0 }),
  };
}

function levelsOf(levels: readonly WireLevel[] | null | undefined): QuoteLevel[] | null {
  if (levels === null || levels === undefined) return null;
  return levels.map(([price, qty]) => [decimalToMicros(price) ?? 0, decimalToMicros(qty) ?? 0]);
}
