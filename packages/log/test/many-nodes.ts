import assert from 'node:assert/strict';
import { LogUnavailableError } from '../src/errors.ts';
import type { Log, LogEntry, LogItem } from '../src/log.ts';
import { text } from './behaviour-tools.ts';

/** Records what one node did and saw. */
export class NodeDiary {
  readonly log: Log;
  readonly seen: LogEntry[] = [];
  /** The acknowledged seq of each word. */
  readonly acknowledged = new Map<string, number>();
  /** Words whose outcome stayed unknown, and words reported as not appended. */
  readonly unknown: string[] = [];
  readonly refused: string[] = [];

  private constructor(log: Log) {
    this.log = log;
  }

  static async begin(log: Log): Promise<NodeDiary> {
    const diary = new NodeDiary(log);
    await log.follow(1, (entries) => void diary.seen.push(...entries)).caughtUp;
    return diary;
  }

  async append(word: string): Promise<void> {
    const item: LogItem = { kind: 'note', body: Buffer.from(JSON.stringify({ word })), local: word };
    try {
      const { firstSeq } = await this.log.append([item]);
      this.acknowledged.set(word, firstSeq);
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error;
      (error.outcome === 'none' ? this.refused : this.unknown).push(word);
    }
  }

  /** Appends `count` words one after the other, each starting with `prefix`. */
  async appendMany(prefix: string, count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.append(`${prefix}.${i}`);
  }
}

/** Waits until every node has seen everything that any of them has seen. */
export async function settled(nodes: readonly NodeDiary[], timeoutMs = 60_000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const { seq } = await nodes[0]!.log.head();
    if (nodes.every(({ seen }) => seen.at(-1)?.seq === seq)) return;
    const last = nodes.map(({ seen }) => seen.at(-1)?.seq);
    assert.ok(performance.now() < deadlineMs, `the log ends at ${seq}, and the nodes have seen ${last}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Every node saw the same, each acknowledged word is stored once at its seq, and time never went back. */
export function checkAgreement(nodes: readonly NodeDiary[]): void {
  const [first] = nodes;
  for (const { seen } of nodes) {
    seen.forEach(({ seq, ts }, i) => {
      assert.equal(seq, i + 1);
      assert.ok(i === 0 || ts >= seen[i - 1]!.ts, `entry ${seq} goes back in time`);
    });
    assert.deepEqual(seen.map(text), first!.seen.map(text));
  }
  const places = new Map<string, number[]>();
  for (const entry of first!.seen) places.set(text(entry), [...(places.get(text(entry)) ?? []), entry.seq]);
  for (const node of nodes) checkOwn(node, places);
}

function checkOwn(node: NodeDiary, places: ReadonlyMap<string, readonly number[]>): void {
  for (const [word, seq] of node.acknowledged) assert.deepEqual(places.get(word), [seq], word);
  for (const word of node.refused) assert.equal(places.get(word), undefined, `${word} was refused`);
  for (const word of node.unknown) assert.ok((places.get(word)?.length ?? 0) <= 1, `${word} is there twice`);
  const own = new Set([...node.acknowledged.keys(), ...node.unknown]);
  for (const entry of node.seen) {
    assert.equal(entry.local, own.has(text(entry)) ? text(entry) : undefined, 'local is with its node alone');
  }
}
