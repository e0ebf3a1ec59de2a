/** Logs and snapshots written by earlier releases, kept unchanged. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** An entry as stored in a log. */
export interface RecordedEntry {
  readonly seq: number;
  readonly ts: number;
  readonly kind: string;
  readonly body: Uint8Array;
}

/** A recorded log: one line per entry with its time, kind and body. */
export function recordedLog(name: string): RecordedEntry[] {
  return linesOf(`${name}.txt.gz`).map((line, i) => {
    const [ts = '', kind = '', body = ''] = line.split(' ');
    return { seq: i + 1, ts: Number(ts), kind, body: Buffer.from(body, 'base64') };
  });
}

/** The lines of the snapshot taken within the log of that name. */
export function recordedSnapshot(name: string): string[] {
  return linesOf(`${name}.snapshot.txt.gz`);
}

function linesOf(file: string): string[] {
  return gunzipSync(readFileSync(new URL(`./logs/${file}`, import.meta.url)))
    .toString()
    .split('\n');
}
