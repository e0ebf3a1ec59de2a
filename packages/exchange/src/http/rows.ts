/** Checks rows one by one, so that a faulty one does not affect the others (MM-3, FEED-1). */

import type { PrintRow } from '@venue/engine';
import { decimalToMicros, type FeedPrint, ROW_REJECT, type RowFault } from '@venue/protocol';
import { FeedPrintSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { compileCheck } from './validate.ts';

const ROW_ERRORS_SHOWN = 20;
const NOT_SHOWN = ROW_REJECT.malformedPrint;

/** A row with a fault; of a print that has no shape, the fault names the field. */
export interface FaultyRow<Fault extends string> {
  readonly i: number;
  readonly error: Fault;
}

export interface SoundRows<T, Fault extends string = RowFault> {
  readonly rows: T[];
  readonly rowErrors: FaultyRow<Fault>[];
}

/** A print with its index in the push. */
export type PlacedPrint = PrintRow & { readonly i: number };

const print = Compile(FeedPrintSchema);
const explainPrint = compileCheck('print', FeedPrintSchema);

export function readPrints(prints: readonly unknown[]): SoundRows<PlacedPrint, string> {
  let faults = 0;
  return split<unknown, PlacedPrint, string>(prints, (row, i) => {
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
export function shownErrors<Fault extends string>(
  rowErrors: readonly FaultyRow<Fault>[],
): FaultyRow<Fault>[] {
  return rowErrors.toSorted((a, b) => a.i - b.i).slice(0, ROW_ERRORS_SHOWN);
}

/** Reads row by row into values and faults. */
export function split<R, T extends object, Fault extends string>(
  raw: readonly R[],
  read: (row: R, i: number) => T | Fault,
): SoundRows<T, Fault> {
  const rows: T[] = [];
  const rowErrors: FaultyRow<Fault>[] = [];
  for (let i = 0; i < raw.length; i++) {
    const result = read(raw[i]!, i);
    if (typeof result === 'string') rowErrors.push({ i, error: result });
    else rows.push(result);
  }
  return { rows, rowErrors };
}
