import type { Log, LogEntry, LogItem } from '../src/log.ts';

/** Opens the place under test once more; the suite closes it. */
export type Open = (now?: () => number) => Promise<Log>;

export function note(word: string): LogItem {
  return { kind: 'note', body: Buffer.from(JSON.stringify({ word })) };
}

export function notes(count: number, prefix: string): LogItem[] {
  return range(1, count).map((i) => note(prefix + i));
}

export function text({ body }: { body: Uint8Array }): string {
  return JSON.parse(Buffer.from(body).toString()).word;
}

export function hex(body: Uint8Array): string {
  return Buffer.from(body).toString('hex');
}

export function seqs(entries: readonly LogEntry[]): number[] {
  return entries.map(({ seq }) => seq);
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function readAll(log: Log): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const follower = log.follow(1, (page) => void entries.push(...page));
  await follower.caughtUp;
  follower.stop();
  return entries;
}
