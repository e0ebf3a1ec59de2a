/** Stretches of a log, from an archive or from the log itself, and the one way to read them: checked against their hashes. */

import { type BatchRecord, type ChainFault, type ChainPoint, ChainVerifier, type LogEntry } from '@venue/log';

export interface SegmentPage {
  readonly batches: readonly BatchRecord[];
  readonly entries: readonly LogEntry[];
}

export interface Segment {
  /** What to call it in a message: `archive 1`, `the log`. */
  readonly name: string;
  /** Whether it may still hold what an archive before it holds. */
  readonly isLog: boolean;
  /** What the first entry continues from. */
  readonly after: ChainPoint;
  /** The last entry it says it has; undefined where that cannot be told beforehand. */
  readonly lastSeq: number | undefined;
  readonly stamp: ReadonlyMap<string, string>;
  /** Batches in order, each no later than its first entry. Throws `BrokenLogError`. */
  pages(): AsyncIterable<SegmentPage>;
}

/** An entry is missing, damaged or out of its place. */
export class BrokenLogError extends Error {
  override readonly name = 'BrokenLogError';
  /** The entry in question, or the first of those. */
  readonly seq: number;

  constructor({ seq, message }: ChainFault) {
    super(message);
    this.seq = seq;
  }
}

/**
 * The batches and entries of a segment, each only once the hash of its whole batch has been matched. Ends with the last
 * batch, where the `verified` of the verifier then stands; throws `BrokenLogError`.
 */
export async function* provenPages(segment: Segment, verifier: ChainVerifier): AsyncGenerator<SegmentPage> {
  let batches: BatchRecord[] = [];
  let entries: LogEntry[] = [];
  for await (const page of segment.pages()) {
    verifier.addBatches(page.batches);
    for (const batch of page.batches) batches.push(batch);
    for (const entry of page.entries) entries.push(entry);
    const fault = verifier.addEntries(page.entries);
    const { seq } = verifier.verified;
    const provenBatches = batches.filter(({ lastSeq }) => lastSeq <= seq);
    const provenEntries = entries.filter((entry) => entry.seq <= seq);
    batches = batches.slice(provenBatches.length);
    entries = entries.slice(provenEntries.length);
    if (provenEntries.length > 0) yield { batches: provenBatches, entries: provenEntries };
    if (fault) throw new BrokenLogError(fault);
  }
  const fault = verifier.finish();
  if (fault) throw new BrokenLogError(fault);
}

/** Reads a whole segment for its hashes alone, and answers where it ends. Throws `BrokenLogError`. */
export async function proveSegment(
  segment: Segment,
  onPage: (page: SegmentPage) => void = () => {},
): Promise<ChainPoint> {
  const verifier = new ChainVerifier(segment.after);
  for await (const page of provenPages(segment, verifier)) onPage(page);
  return verifier.verified;
}
