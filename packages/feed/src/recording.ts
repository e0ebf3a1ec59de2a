/** Recorded prices: a CSV file with the columns `ts,symbol,source,price`, ascending in time. */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { decimalToMicros, SIMULATED_PREFIX, SYMBOL } from '@venue/protocol';
import type { PriceTick, Print } from './tick.ts';

export const RECORDING_HEADER = 'ts,symbol,source,price';

/** A file that is not a recording; the message is one line with the position in the file. */
export class RecordingError extends Error {
  override name = 'RecordingError';
}

interface Row {
  readonly ts: number;
  readonly print: Print;
}

export interface ReplayOptions {
  /** 2 replays an hour in half an hour; by default 1. */
  readonly speed?: number;
}

/**
 * Yields the ticks of a recording at their distance from the first row, with rows of the same millisecond together.
 * Throws `RecordingError` if the file cannot be read or a row is malformed.
 */
export async function* replay(path: string, { speed = 1 }: ReplayOptions = {}): AsyncGenerator<PriceTick> {
  let startMs: number | null = null;
  let ts = 0;
  let prints: Print[] = [];
  for await (const row of rowsOf(path)) {
    startMs ??= row.ts;
    if (row.ts !== ts && prints.length > 0) {
      yield { atMs: (ts - startMs) / speed, prints };
      prints = [];
    }
    ts = row.ts;
    prints.push(row.print);
  }
  if (startMs !== null) yield { atMs: (ts - startMs) / speed, prints };
}

/** Reads a recording to its end and counts its rows, so that a faulty one is found before any price is posted. */
export async function checkRecording(path: string): Promise<number> {
  let rows = 0;
  for await (const _ of rowsOf(path)) rows += 1;
  if (rows === 0) throw new RecordingError(`${path}: no prices`);
  return rows;
}

/** One line of a recording of simulated prices, which names each source without what tells that; `ts` in unix milliseconds. */
export function formatRow(ts: number, { symbol, source, price }: Print): string {
  return `${ts},${symbol},${source.replace(SIMULATED_PREFIX, '')},${price}`;
}

async function* rowsOf(path: string): AsyncGenerator<Row> {
  let lineNumber = 0;
  let lastTs = 0;
  for await (const line of linesOf(path)) {
    lineNumber += 1;
    if (lineNumber === 1) {
      if (line !== RECORDING_HEADER) throw fault(path, 1, `the header must be ${RECORDING_HEADER}`);
      continue;
    }
    if (line === '') continue;
    const row = parseRow(line);
    if (typeof row === 'string') throw fault(path, lineNumber, row);
    if (row.ts < lastTs) throw fault(path, lineNumber, `ts ${row.ts} is earlier than the row before`);
    lastTs = row.ts;
    yield row;
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new RecordingError(`${path}: cannot be read (${code})`);
  }
}

/** The row of a line, or what is wrong with it. */
function parseRow(line: string): Row | string {
  const cells = line.split(',');
  const [ts = '', symbol = '', source = '', price = ''] = cells;
  if (cells.length !== 4) return `4 columns expected, ${cells.length} found`;
  if (!/^\d{1,15}$/.test(ts)) return `ts must be unix milliseconds, not "${ts}"`;
  if (!SYMBOL.test(symbol)) return `symbol must be upper-case letters and digits, not "${symbol}"`;
  if (!/^[\w.-]{1,60}$/.test(source)) return `source must be a short name, not "${source}"`;
  if (!/^\d+(\.\d+)?$/.test(price) || !decimalToMicros(Number(price))) {
    return `price must be positive with at most six decimals, not "${price}"`;
  }
  // A recorded price is never current (FEED-1).
  return { ts: Number(ts), print: { symbol, source: `${SIMULATED_PREFIX}${source}`, price: Number(price) } };
}

function fault(path: string, line: number, what: string): RecordingError {
  return new RecordingError(`${path}:${line}: ${what}`);
}
