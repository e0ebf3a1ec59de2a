/** `venue verify`: proves from the log and its archives alone that every balance follows from what was signed. */

import { createState, isSnapshotVersion, type State, stateDigest } from '@venue/engine';
import { type LogReader, openLogReader, parseLogSpec, type Snapshot } from '@venue/log';
import { bodyFault, restoreSnapshot, stampFault, type Verifier } from '@venue/replay';
import { archiveSegment } from '../archive/archive-segment.ts';
import { logSegment } from '../archive/log-segment.ts';
import type { OnProgress } from '../archive/progress.ts';
import { BrokenLogError, type Segment } from '../archive/segment.ts';
import { foreseeing, LogToolError } from '../archive/tool-error.ts';
import { Faults } from './faults.ts';
import { Joined } from './joined.ts';
import type { NotedPoint } from './noted-head.ts';
import { Replay, type SnapshotClaim, Tally } from './replay.ts';
import { factsOf, reportDigest, type VerifiedEntries, type VerifyReport, verifiedEntries } from './report.ts';
import { SignatureCheck } from './signature-check.ts';

export interface VerifyOptions {
  /** The log, as `openLogReader` takes it. A node may be running on it. Undefined to verify only archives. */
  readonly log?: string | undefined;
  /** Archive files, in the order of their entries. The log follows them. */
  readonly archives?: readonly string[];
  /** Stops after the batch that contains this entry. By default the newest entry at the time of the call. */
  readonly to?: number | undefined;
  /** A chain head noted earlier. Without it, a log whose end was cut off can pass. */
  readonly head?: NotedPoint | undefined;
  /** Entries that the venue was told to skip. */
  readonly skipSeqs?: ReadonlySet<number>;
  /** The number of threads that check signatures; by default one per core. */
  readonly workers?: number;
  /** Checks the signatures in the place of such threads, and is left open. */
  readonly verifier?: Verifier;
  readonly onProgress?: OnProgress;
}

/**
 * Replays the log from its beginning and checks the chain of hashes, every signature, the invariants and the digest of
 * every snapshot. If archived entries are not given, the oldest snapshot is taken on trust in their place, and the
 * report says so. A fault is part of the report. Throws `LogToolError` if the verification cannot be carried out.
 *
 * @example
 * const { facts } = await verifyLog({ log: 'sqlite:data/venue.db' });
 * if (facts.fault) console.error(facts.fault.message);
 */
export function verifyLog(options: VerifyOptions): Promise<VerifyReport> {
  return foreseeing(async () => {
    await using opened = new AsyncDisposableStack();
    const reader = options.log === undefined ? null : await openLogReader(options.log);
    if (reader !== null) opened.defer(() => reader.close());
    // Load snapshots before reading the log's end: then none of a running node's can lie beyond that end.
    const snapshots = (await reader?.loadSnapshots()) ?? [];
    const joined = new Joined(await segmentsOf(reader, options), options);
    const verification = new Verification({ ...options, reader, joined, snapshots });
    const { faults } = verification;
    const { verifier, workers } = options;
    const signatures = verifier
      ? new SignatureCheck(verifier, faults)
      : await SignatureCheck.open(faults, workers);
    if (verifier === undefined) opened.defer(() => signatures.close());
    await verification.run(signatures);
    return verification.report();
  });
}

async function segmentsOf(
  reader: LogReader | null,
  { archives = [], to }: VerifyOptions,
): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const [i, path] of archives.entries())
    segments.push(await archiveSegment({ path, name: `archive ${i + 1}`, to }));
  if (reader !== null) segments.push(await logSegment({ reader, ...(to !== undefined && { to }) }));
  if (segments.length === 0) throw new LogToolError('neither a log nor an archive was named');
  return segments;
}

interface VerificationOptions extends VerifyOptions {
  readonly reader: LogReader | null;
  readonly joined: Joined;
  /** Newest first. */
  readonly snapshots: readonly Snapshot[];
}

/** One verification, from the stamp to the report. */
class Verification {
  readonly faults = new Faults();
  readonly #options: VerificationOptions;
  #trusted: { readonly seq: number; readonly digest: string } | null = null;
  #replay: Replay | null = null;
  #state: State = createState();

  constructor(options: VerificationOptions) {
    this.#options = options;
  }

  async run(signatures: SignatureCheck): Promise<void> {
    try {
      this.#checkStamp();
      if (this.#options.joined.start.seq > 0) await this.#beginWithSnapshot();
      await this.#replayAll(signatures);
    } catch (error) {
      if (!(error instanceof BrokenLogError)) throw error;
      this.faults.add('chain', error.seq, error.message);
    }
    await signatures.done();
  }

  /** Checks the stamp as a node does when it opens the log, because no hash covers it. */
  #checkStamp(): void {
    const { stamp, start, lastSeq } = this.#options.joined;
    const message = lastSeq === 0 ? null : stampFault(stamp);
    if (message !== null) throw new BrokenLogError({ seq: start.seq + 1, message });
  }

  /** Starts from the oldest snapshot, because the first entries are missing. */
  async #beginWithSnapshot(): Promise<void> {
    const { joined, snapshots, to = Number.MAX_SAFE_INTEGER } = this.#options;
    const { seq: startSeq } = joined.start;
    const known = snapshots.filter(({ seq, version }) => seq >= startSeq && isSnapshotVersion(version));
    const oldest = known.at(-1);
    if (oldest === undefined) {
      const message = `entries 1 to ${startSeq} are not given, and no snapshot that stands for them is`;
      throw new BrokenLogError({ seq: 1, message });
    }
    const { seq, digest } = oldest;
    if (seq >= to)
      throw new LogToolError(`entry ${to} is not after the snapshot of entry ${seq}, the oldest`);
    const restored = await restoreSnapshot(oldest, this.#options.reader ?? undefined);
    if (typeof restored === 'string')
      throw new BrokenLogError({ seq, message: `the snapshot of entry ${seq} ${restored}` });
    this.#state = restored;
    this.#trusted = { seq, digest };
  }

  async #replayAll(signatures: SignatureCheck): Promise<void> {
    const { joined, skipSeqs = new Set(), onProgress } = this.#options;
    const state = this.#state;
    const fromSeq = state.seq + 1;
    const snapshots = await this.#claims();
    const replay = new Replay({
      state,
      faults: this.faults,
      signatures,
      stamp: joined.stamp,
      snapshots,
      skipSeqs,
    });
    this.#replay = replay;
    for await (const entries of joined.entries()) {
      await replay.apply(entries);
      if (this.faults.first !== null) return;
      onProgress?.({ seq: joined.point.seq, fromSeq, toSeq: joined.lastSeq });
    }
    replay.finish();
    this.#checkEnd();
  }

  /** A snapshot of an entry beyond the end proves that the log once held that entry. */
  #checkEnd(): void {
    const { joined, snapshots, to } = this.#options;
    const { seq } = joined.point;
    const [newest] = snapshots;
    if (to !== undefined || newest === undefined || newest.seq <= seq) return;
    const message = `entry ${seq} is the last, before the snapshot of entry ${newest.seq}: the end of the log is missing`;
    this.faults.add('chain', seq + 1, message);
  }

  /** Excludes the snapshot that the replay started from, which it cannot check. */
  async #claims(): Promise<Map<number, SnapshotClaim>> {
    const claims = new Map<number, SnapshotClaim>();
    for (const snapshot of this.#options.snapshots) {
      const { seq, version, digest } = snapshot;
      if (!isSnapshotVersion(version) || seq <= this.#state.seq) continue;
      claims.set(seq, { digest, fault: await bodyFault(snapshot) });
    }
    return claims;
  }

  /** Throws `LogToolError` if there was nothing to verify. */
  report(): VerifyReport {
    const { joined, snapshots, log, archives = [], to } = this.#options;
    const { first: fault } = this.faults;
    const { seq } = joined.point;
    if (fault === null && to !== undefined && seq < to)
      throw new LogToolError(`there is no entry ${to}; the last is ${seq}`);
    const tally = this.#replay?.tally ?? new Tally();
    const facts = factsOf({
      stamp: joined.stamp,
      trusted: this.#trusted,
      fault,
      entries: fault === null ? this.#entries(tally) : null,
    });
    return {
      log: log === undefined ? null : parseLogSpec(log).shown,
      archives: archives.length,
      snapshots: snapshots
        .map((snapshot) => ({ seq: snapshot.seq, found: this.#found(snapshot, tally) }))
        .reverse(),
      invariantChecks: tally.invariantChecks,
      facts,
      reportDigest: reportDigest(facts),
    };
  }

  #entries(tally: Tally): VerifiedEntries {
    const state = this.#state;
    const fromSeq = (this.#trusted?.seq ?? 0) + 1;
    const { point } = this.#options.joined;
    if (point.seq === 0) throw new LogToolError('the log holds no entries');
    return verifiedEntries({ state, digest: stateDigest(state), tally, point, fromSeq });
  }

  #found({ seq, version }: Snapshot, tally: Tally): string {
    if (seq === this.#trusted?.seq) return 'taken on trust';
    if (tally.goodSnapshots.includes(seq)) return 'the state after its entry';
    return isSnapshotVersion(version) ? 'not reached' : `of version ${version}, not read`;
  }
}
