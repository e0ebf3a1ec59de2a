/** Segments of a log, from an archive or the log itself. They are read only with their hashes verified. */

import { type BatchRecord, type ChainFault, type ChainPoint, ChainVerifier, type LogEntry } from '@venue/log';

export interface SegmentPage {
  readonly batches: readonly BatchRecord[];
  readonly entries: readonly LogEntry[];
}

export interface Segment {
  /** Its name in messages: `archive 1`, `the log`. */
  readonly name: string;
  /** True for the log, which may overlap with the archive before it. */
  readonly isLog: boolean;
  /** The point in the chain that the first entry continues from. */
  readonly after: ChainPoint;
  /** The last entry, as the segment itself states it. Undefined if unknown before reading. */
  readonly lastSeq: number | undefined;
  readonly stamp: ReadonlyMap<string, string>;
  /** Batches in order, each no later than its first entry. Throws `BrokenLogError`. */
  pages(): AsyncIterable<SegmentPage>;
}

/** An entry is missing, damaged or out of place. */
export class BrokenLogError extends Error {
  override readonly name = 'BrokenLogError';
  /** The first entry affected. */
  readonly seq: number;

  constructor({ seq, message }: ChainFault) {
    super(message);
    this.seq = seq;
  }
}

/**
 * Yields the batches and entries of a segment, each only after the hash of its whole batch has matched. At the end, the
 * verifier's `verified` is the end of the last batch. Throws `BrokenLogError`.
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

/** Verifies the hashes of a whole segment and returns where it ends. Throws `BrokenLogError`. */
export async function proveSegment(
  segment: Segment,
  onPage: (page: SegmentPage) => void = () => {},
): Promise<ChainPoint> {
  const verifier = new ChainVerifier(segment.after);
  for await (const page of provenPages(segment, verifier)) onPage(page);
  return verifier.verified;
}
