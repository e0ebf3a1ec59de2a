/** Serves requests in a thread of a log file and answers them in order. */

import { parentPort } from 'node:worker_threads';
import { CheckedReader } from '../checked-reader.ts';
import { LogOpenError } from '../errors.ts';
import type { Head } from '../log.ts';
import {
  failureOf,
  type SqliteAnswer,
  type SqliteOpening,
  type SqliteOperation,
  type SqliteRequest,
} from './messages.ts';
import { type PackedEntries, transferable, unpack } from './packed.ts';
import type { SqliteTables } from './tables.ts';

const port = parentPort!;

/** Tells the main thread what came of opening; undefined after a `LogOpenError`. */
export function tellOpened<T extends { readonly head: Head }>(open: () => T): T | undefined {
  try {
    const opened = open();
    const { seq, ts } = opened.head;
    port.postMessage({ opened: true, head: { seq, ts } } satisfies SqliteOpening);
    return opened;
  } catch (error) {
    if (!(error instanceof LogOpenError)) throw error;
    port.postMessage({ opened: false, error: error.message } satisfies SqliteOpening);
    return undefined;
  }
}

interface Reading {
  readonly tables: SqliteTables;
  readonly reader: CheckedReader<PackedEntries>;
}

export function readingOf(tables: SqliteTables): Reading {
  const reader = new CheckedReader<PackedEntries>({
    entries: (fromSeq, toSeq) => tables.entries(fromSeq, toSeq),
    entriesOf: unpack,
    batches: (fromSeq, toSeq) => tables.batches(fromSeq, toSeq),
    chainStart: () => tables.chainStart(),
  });
  return { tables, reader };
}

/** Answers the requests that read; the thread answers all others itself. */
export function answerRead({ tables, reader }: Reading, request: SqliteRequest): unknown {
  switch (request.op) {
    case 'read':
      return reader.read(...request.args);
    case 'readBatches':
      return tables.batches(...request.args);
    case 'readHead':
      return tables.head();
    case 'chainStart':
      return tables.chainStart();
    case 'loadSnapshots':
      return tables.loadSnapshots();
    case 'readStamp':
      return tables.readStamp();
    default:
      throw new Error(`this thread carries out no ${request.op}`);
  }
}

export interface Serving {
  readonly answer: (request: SqliteRequest) => unknown;
  /** Called once the answer is on its way, which need not wait for it. */
  readonly onAnswered?: (op: SqliteOperation) => void;
}

/** Serves one request after the other. */
export function serveAll(serving: Serving): void {
  let served = Promise.resolve();
  port.on('message', (request: SqliteRequest) => {
    served = served.then(() => serve(serving, request));
  });
}

async function serve({ answer, onAnswered }: Serving, request: SqliteRequest): Promise<void> {
  const { op } = request;
  try {
    const value = await answer(request);
    const give = op === 'read' ? transferable(value as PackedEntries) : [];
    port.postMessage({ ok: true, value } satisfies SqliteAnswer, give);
  } catch (error) {
    port.postMessage({ ok: false, failure: failureOf(error) } satisfies SqliteAnswer);
  }
  onAnswered?.(op);
  if (op === 'close') port.close();
}
