/** Recorded logs and snapshots, one line per entry with its time, kind and body. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Entry } from '../src/entry/command.ts';
import { encodeCommand } from '../src/entry/command-codec.ts';

/** An entry as stored in a log. */
export interface RecordedEntry {
  readonly seq: number;
  readonly ts: number;
  readonly kind: string;
  readonly body: Uint8Array;
}

/** The log of that name in `test/logs`. */
export function recordedLog(name: string): RecordedEntry[] {
  return readLog(new URL(`./logs/${name}.txt.gz`, import.meta.url));
}

/** The lines of the snapshot taken within the log of that name. */
export function recordedSnapshot(name: string): string[] {
  return linesOf(new URL(`./logs/${name}.snapshot.txt.gz`, import.meta.url));
}

export function readLog(file: URL): RecordedEntry[] {
  return linesOf(file).map((line, i) => {
    const [ts = '', kind = '', body = ''] = line.split(' ');
    return { seq: i + 1, ts: Number(ts), kind, body: Buffer.from(body, 'base64') };
  });
}

export function logLine({ ts, command }: Entry): string {
  return `${ts} ${command.kind} ${Buffer.from(encodeCommand(command)).toString('base64')}`;
}

function linesOf(file: URL): string[] {
  return gunzipSync(readFileSync(file)).toString().split('\n');
}
