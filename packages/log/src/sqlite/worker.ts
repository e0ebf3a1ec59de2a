import { parentPort, workerData } from 'node:worker_threads';
import { CheckedReader } from '../checked-reader.ts';
import {
  LogArchivedError,
  LogDamagedError,
  LogFullError,
  LogOpenError,
  type StampConflict,
} from '../errors.ts';
import type { BatchRecord, ChainPoint, Head, Snapshot } from '../log.ts';
import { isCorrupt } from './errors.ts';
import { SqliteFile } from './file.ts';
import { type PackedEntries, transferable, unpack } from './packed.ts';

/** Requests to the log's thread, with their arguments and answers. Answers come in order. */
export interface SqliteOperations {
  commit: { args: [PackedEntries]; answer: undefined };
  read: { args: [fromSeq: number, toSeq: number]; answer: PackedEntries };
  readBatches: { args: [fromSeq: number, toSeq: number]; answer: readonly BatchRecord[] };
  chainStart: { args: []; answer: ChainPoint };
  dropSome: { args: [seq: number]; answer: boolean };
  saveSnapshot: { args: [Snapshot]; answer: undefined };
  loadSnapshots: { args: []; answer: Snapshot[] };
  readStamp: { args: []; answer: Map<string, string> };
  writeStamp: { args: [ReadonlyMap<string, string>]; answer: StampConflict | undefined };
  close: { args: []; answer: undefined };
}

export type SqliteOperation = keyof SqliteOperations;

export type SqliteRequest = {
  [Op in SqliteOperation]: { readonly op: Op; readonly args: SqliteOperations[Op]['args'] };
}[SqliteOperation];

export type SqliteAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: SqliteFailure };

/** Errors lose their class on the way between threads. */
export type SqliteFailure =
  | { readonly kind: 'full' }
  | { readonly kind: 'archived'; readonly seq: number; readonly firstSeq: number }
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'broken'; readonly cause: unknown };

/** Messages before any answer: warnings, then the result of opening. */
export type SqliteOpening =
  | { readonly warning: string }
  | { readonly opened: true; readonly head: Head }
  | { readonly opened: false; readonly error: string };

const port = parentPort!;
const file = open((workerData as { path: string }).path);
if (file) serveAll(file);

function open(path: string): SqliteFile | undefined {
  try {
    const opened = new SqliteFile(path, (warning) => {
      port.postMessage({ warning } satisfies SqliteOpening);
    });
    const { seq, ts } = opened.head;
    port.postMessage({ opened: true, head: { seq, ts } } satisfies SqliteOpening);
    return opened;
  } catch (error) {
    if (!(error instanceof LogOpenError)) throw error;
    port.postMessage({ opened: false, error: error.message } satisfies SqliteOpening);
    return undefined;
  }
}

/** Serves one request after the other. */
function serveAll(log: SqliteFile): void {
  const { tables } = log;
  const reader = new CheckedReader<PackedEntries>({
    entries: (fromSeq, toSeq) => tables.entries(fromSeq, toSeq),
    entriesOf: unpack,
    batches: (fromSeq, toSeq) => tables.batches(fromSeq, toSeq),
    chainStart: () => tables.chainStart(),
  });
  let served = Promise.resolve();
  port.on('message', (request: SqliteRequest) => {
    served = served.then(() => serve({ log, reader, request }));
  });
}

interface Serving {
  readonly log: SqliteFile;
  readonly reader: CheckedReader<PackedEntries>;
  readonly request: SqliteRequest;
}

async function serve(serving: Serving): Promise<void> {
  const { log, request } = serving;
  const { op } = request;
  try {
    const value = await answer(serving);
    const give = op === 'read' ? transferable(value as PackedEntries) : [];
    port.postMessage({ ok: true, value } satisfies SqliteAnswer, give);
  } catch (error) {
    port.postMessage({ ok: false, failure: failureOf(error) } satisfies SqliteAnswer);
  }
  if (op === 'commit') log.noteHead();
  if (op === 'close') port.close();
}

function answer({ log, reader, request }: Serving): unknown {
  switch (request.op) {
    case 'commit':
      return log.commit(...request.args);
    case 'read':
      return reader.read(...request.args);
    case 'readBatches':
      return log.tables.batches(...request.args);
    case 'chainStart':
      return log.tables.chainStart();
    case 'dropSome':
      return log.dropSome(...request.args);
    case 'saveSnapshot':
      return log.saveSnapshot(...request.args);
    case 'loadSnapshots':
      return log.tables.loadSnapshots();
    case 'readStamp':
      return log.tables.readStamp();
    case 'writeStamp':
      return log.writeStamp(...request.args);
    case 'close':
      return log.close();
  }
}

function failureOf(error: unknown): SqliteFailure {
  if (error instanceof LogFullError) return { kind: 'full' };
  if (error instanceof LogArchivedError)
    return { kind: 'archived', seq: error.seq, firstSeq: error.firstSeq };
  if (error instanceof LogDamagedError) return { kind: 'damaged', message: error.message };
  if (isCorrupt(error))
    return { kind: 'damaged', message: `the file of the log is damaged (${(error as Error).message})` };
  return { kind: 'broken', cause: error };
}
