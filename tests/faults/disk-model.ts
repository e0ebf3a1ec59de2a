/**
 * Models what is on disk in a folder, from the system calls of the processes that wrote it: a page is on disk after a
 * flush that follows its last write has succeeded. A failed flush leaves pages that the system shows but never writes,
 * as on Linux.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const PAGE_BYTES = 4096;
const CALLS = 'pwrite64,write,ftruncate,fsync,fdatasync,unlink';

/** Arguments that make strace record what a disk model reads. */
export function straceArguments(output: string, ...inject: string[]): string[] {
  const wanted = ['-f', '-qq', '-y', '-xx', '-s', '16777216', '-o', output, '-e', `trace=${CALLS}`];
  return [...wanted, '-e', 'signal=none', ...inject.flatMap((what) => ['-e', `inject=${what}`])];
}

interface ModelFile {
  /** As processes see it. */
  shown: Buffer;
  durable: Buffer;
  /** Pages written since the last flush, successful or not. */
  readonly dirty: Set<number>;
}

export interface Call {
  readonly name: string;
  readonly path: string;
  readonly args: string;
  readonly result: number;
}

export class DiskModel {
  readonly #files = new Map<string, ModelFile>();

  /** The folder's current contents count as durable. */
  constructor(folder: string) {
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      this.#files.set(name, { shown: bytes, durable: bytes, dirty: new Set() });
    }
  }

  apply({ name, path, args, result }: Call): void {
    const key = basename(path);
    if (name === 'unlink') {
      if (result === 0) this.#files.delete(key);
      return;
    }
    const file = this.#files.get(key) ?? {
      shown: Buffer.alloc(0),
      durable: Buffer.alloc(0),
      dirty: new Set(),
    };
    this.#files.set(key, file);
    if (name === 'pwrite64' && result > 0) write(file, bytesIn(args).subarray(0, result), offsetIn(args));
    if (name === 'ftruncate') resize(file, offsetIn(args));
    if (name === 'fsync' || name === 'fdatasync') flush(file, result === 0);
  }

  /**
   * Writes the result of a power cut to another folder; `keeps` decides for each unflushed page whether it is there.
   */
  cut(folder: string, keeps: () => boolean): void {
    for (const [name, { shown, durable, dirty }] of this.#files) {
      const image = Buffer.alloc(Math.max(durable.length, shown.length));
      durable.copy(image);
      let length = durable.length;
      for (const page of dirty) {
        if (!keeps()) continue;
        const end = Math.min(shown.length, (page + 1) * PAGE_BYTES);
        shown.copy(image, page * PAGE_BYTES, page * PAGE_BYTES, end);
        length = Math.max(length, end);
      }
      if (length > 0 || existsSync(join(folder, name)))
        writeFileSync(join(folder, name), image.subarray(0, length));
    }
  }
}

function write(file: ModelFile, bytes: Buffer, at: number): void {
  const shown = Buffer.alloc(Math.max(file.shown.length, at + bytes.length));
  file.shown.copy(shown);
  bytes.copy(shown, at);
  file.shown = shown;
  for (let page = Math.floor(at / PAGE_BYTES); page * PAGE_BYTES < at + bytes.length; page += 1)
    file.dirty.add(page);
}

function resize(file: ModelFile, length: number): void {
  const shown = Buffer.alloc(length);
  file.shown.copy(shown);
  file.shown = shown;
  for (const page of file.dirty) if (page * PAGE_BYTES >= length) file.dirty.delete(page);
}

function flush(file: ModelFile, succeeds: boolean): void {
  if (succeeds) {
    const durable = Buffer.alloc(file.shown.length);
    file.durable.copy(durable);
    for (const page of file.dirty)
      file.shown.copy(durable, page * PAGE_BYTES, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    file.durable = durable;
  }
  file.dirty.clear();
}

/** The calls of a trace, successful or failed, in the order in which they ended. */
export function* callsIn(trace: string): Generator<Call> {
  const begun = new Map<string, string>();
  for (const line of readFileSync(trace, 'latin1').split('\n')) {
    const [, pid, text] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (pid === undefined || text === undefined) continue;
    if (text.endsWith(' <unfinished ...>')) {
      begun.set(pid, text.slice(0, -' <unfinished ...>'.length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const call = callOf(resumed ? `${begun.get(pid)}${resumed[1]}` : text);
    if (call) yield call;
  }
}

/** A call during which the process was killed has no result, and counts as failed. */
function callOf(text: string): Call | undefined {
  const [, name, args, result] = /^(\w+)\((.*)\) += (-?\d+|\?)/.exec(text) ?? [];
  if (name === undefined || args === undefined) return undefined;
  const path = name === 'unlink' ? bytesIn(args).toString() : /^\d+<([^>]*)>/.exec(args)?.[1];
  return { name, path: decoded(path ?? ''), args, result: result === '?' ? -1 : Number(result) };
}

function decoded(text: string): string {
  return text.replace(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The bytes a call was to write, or its path. */
export function bytesIn(args: string): Buffer {
  const [, text = ''] = /"((?:\\x[0-9a-f]{2})*)"/.exec(args) ?? [];
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

function offsetIn(args: string): number {
  return Number(/(\d+)$/.exec(args)![1]);
}
