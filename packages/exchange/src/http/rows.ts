/** Checks rows one by one, so that a faulty one does not affect the others (MM-3, FEED-1). */

import type { PrintRow, RowError } from '@venue/engine';
import { decimalToMicros, type FeedPrint } from '@venue/protocol';
import { FeedPrintSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { compileCheck } from './validate.ts';

const ROW_ERRORS_SHOWN = 20;
const NOT_SHOWN = 'malformed print';

export interface SoundRows<T> {
  readonly rows: T[];
  readonly rowErrors: RowError[];
}

/** A print with its index in the push. */
export type PlacedPrint = PrintRow & { readonly i: number };

const print = Compile(FeedPrintSchema);
const explainPrint = compileCheck('print', FeedPrintSchema);

export function readPrints(prints: readonly unknown[]): SoundRows<PlacedPrint> {
  let faults = 0;
  return split(prints, (row, i) => {
    if (!print.Check(row)) {
      faults += 1;
      // Explaining a row takes far longer than checking it, and no more of them are shown.
      return faults > ROW_ERRORS_SHOWN ? NOT_SHOWN : explainPrint(row)!.error;
    }
    const { symbol, source, price } = row as FeedPrint;
    return { i, symbol, source, priceMicros: decimalToMicros(price) ?? 0 };
  });
}

/** The first faulty rows, in the order of the push. */
export function shownErrors(rowErrors: readonly RowError[]): RowError[] {
  return rowErrors.toSorted((a, b) => a.i - b.i).slice(0, ROW_ERRORS_SHOWN);
}

/** Reads row by row into values and faults. */
export function split<R, T extends object>(
  raw: readonly R[],
  read: (row: R, i: number) => T | string,
): SoundRows<T> {
  const rows: T[] = [];
  const rowErrors: RowError[] = [];
  for (let i = 0; i < raw.length; i++) {
    const result = read(raw[i]!, i);
    if (typeof result === 'string') rowErrors.push({ i, error: result });
    else rows.push(result);
  }
  return { rows, rowErrors };
}
