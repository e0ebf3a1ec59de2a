import { parentPort, workerData } from 'node:worker_threads';
import { LogOpenError, type StampConflict } from './errors.ts';
import type { Head, Snapshot } from './log.ts';
import { type PackedEntries, transferable } from './packed.ts';
import { SqliteFile } from './sqlite-file.ts';

/** What the log's thread can be asked, each with its arguments and its answer. Answers come in order. */
export interface SqliteOperations {
  commit: { args: [PackedEntries]; answer: undefined };
  read: { args: [fromSeq: number, toSeq: number]; answer: PackedEntries };
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
  | { readonly ok: false; readonly error: string };

/** The first message, before any answer. */
export type SqliteOpening =
  | { readonly opened: true; readonly head: Head }
  | { readonly opened: false; readonly error: string };

const port = parentPort!;
const file = open((workerData as { path: string }).path);
if (file) port.on('message', (request: SqliteRequest) => serve(file, request));

function open(path: string): SqliteFile | undefined {
  try {
    const opened = new SqliteFile(path);
    port.postMessage({ opened: true, head: opened.head() } satisfies SqliteOpening);
    return opened;
  } catch (error) {
    if (!(error instanceof LogOpenError)) throw error;
    port.postMessage({ opened: false, error: error.message } satisfies SqliteOpening);
    return undefined;
  }
}

function serve(log: SqliteFile, request: SqliteRequest): void {
  try {
    const value = answer(log, request);
    const give = request.op === 'read' ? transferable(value as PackedEntries) : [];
    port.postMessage({ ok: true, value } satisfies SqliteAnswer, give);
  } catch (error) {
    port.postMessage({ ok: false, error: (error as Error).message } satisfies SqliteAnswer);
  }
  if (request.op === 'close') port.close();
}

function answer(log: SqliteFile, request: SqliteRequest): unknown {
  switch (request.op) {
    case 'commit':
      return log.commit(...request.args);
    case 'read':
      return log.read(...request.args);
    case 'saveSnapshot':
      return log.saveSnapshot(...request.args);
    case 'loadSnapshots':
      return log.loadSnapshots();
    case 'readStamp':
      return log.readStamp();
    case 'writeStamp':
      return log.writeStamp(...request.args);
    case 'close':
      return log.close();
  }
}
