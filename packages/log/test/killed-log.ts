/** The files of a log whose process was killed, so that tests can damage them and see how opening them ends. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ChainVerifier } from '../src/chain.ts';
import { LogOpenError } from '../src/errors.ts';
import type { LogEntry } from '../src/log.ts';
import { SqliteFile } from '../src/sqlite/file.ts';
import { pack, unpack } from '../src/sqlite/packed.ts';

/** The files of a log; they share a name. */
const SUFFIXES = ['', '-wal', '-head'] as const;
export type Suffix = (typeof SUFFIXES)[number];
export type LogFiles = Readonly<Record<Suffix, Buffer | undefined>>;

/** A memory file system if there is one: opening flushes a lot. */
const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The result of opening a log: every entry is there, a message refuses it, or entries are silently missing. */
export type Outcome = 'whole' | 'lost' | { readonly refusal: string };

export class KilledLog {
  /** Half of the commits in the file, the rest in the WAL. */
  readonly files: LogFiles;
  /** A copy of the file, made after half of the commits. */
  readonly older: Buffer;
  /** One for each commit. */
  readonly entries: readonly string[];
  readonly path: string;
  readonly warnings: string[] = [];
  readonly #folder = mkdtempSync(join(FAST, 'venue-killed-'));

  /** Each entry contains the word. */
  constructor(commits: number, word = 'hello') {
    this.path = join(this.#folder, 'venue.db');
    const log = new SqliteFile(this.path);
    for (let i = 0; i < commits / 2; i++) appendTo(log, word);
    const db = new DatabaseSync(this.path);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.older = copyOf(this.path)!;
    for (let i = 0; i < commits / 2; i++) appendTo(log, word);
    this.files = {
      '': copyOf(this.path),
      '-wal': copyOf(`${this.path}-wal`),
      '-head': copyOf(`${this.path}-head`),
    };
    this.entries = readAll(log).map(textOf);
    db.close();
    log.close();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** Restores the files, except for the given ones; undefined removes a file. */
  place(changed: Partial<LogFiles> = {}): void {
    for (const suffix of [...SUFFIXES, '-shm']) rmSync(this.path + suffix, { force: true });
    for (const suffix of SUFFIXES) {
      const bytes = suffix in changed ? changed[suffix] : this.files[suffix];
      if (bytes !== undefined) writeFileSync(this.path + suffix, bytes);
    }
  }

  /** Opens the files and reads everything. */
  open(changed: Partial<LogFiles> = {}): Outcome {
    this.place(changed);
    this.warnings.length = 0;
    try {
      const log = new SqliteFile(this.path, (text) => void this.warnings.push(text));
      try {
        const read = readAll(log).map(textOf);
        return read.join('\n') === this.entries.join('\n') ? 'whole' : 'lost';
      } finally {
        log.close();
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (error instanceof LogOpenError || error instanceof Found || code === 'ERR_SQLITE_ERROR')
        return { refusal: message };
      throw error;
    }
  }
}

/** The bytes with one bit flipped. */
export function flipped(bytes: Buffer, at: number, bit = at % 8): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1 << bit;
  return copy;
}

class Found extends Error {}

function appendTo(log: SqliteFile, word: string): void {
  const seq = log.head.seq + 1;
  const body = Buffer.from(JSON.stringify({ word: `${word} ${seq}` }));
  log.commit(pack([{ seq, ts: 1_000 + seq, kind: 'note', body }]));
  log.noteHead();
}

/** Throws the error a follower would get. */
function readAll({ tables, head }: SqliteFile): LogEntry[] {
  const verifier = new ChainVerifier(tables.chainStart());
  const all: LogEntry[] = [];
  while (verifier.nextSeq <= head.seq) {
    const entries = unpack(tables.entries(verifier.nextSeq, head.seq));
    if (entries.length === 0) throw new Found(`entry ${verifier.nextSeq} is missing`);
    verifier.addBatches(tables.batches(verifier.batchedSeq + 1, entries.at(-1)!.seq));
    const fault = verifier.addEntries(entries);
    if (fault) throw new Found(fault.message);
    all.push(...entries);
  }
  return all;
}

function textOf({ seq, ts, kind, body }: LogEntry): string {
  return `${seq} ${ts} ${kind} ${Buffer.from(body).toString('latin1')}`;
}

function copyOf(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
