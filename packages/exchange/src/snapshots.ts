/** Snapshots of the state, so that a start replays only what came after the newest (design of the log, part 1). */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { restoreState, SNAPSHOT_VERSION, type State, stateLines } from '@venue/engine';
import type { Log, Snapshot } from '@venue/log';
import type { Logger } from './logger.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** What a replay may have to go through: so many entries, or so many bytes of them. */
export const REPLAY_LIMIT: Replayed = { entries: 50_000, bytes: 64 * 1024 * 1024 };

/** Entries and the bytes of their bodies. */
export interface Replayed {
  readonly entries: number;
  readonly bytes: number;
}

/** The newest state that can be restored, or null: of another version, or not what its digest says, it is passed over. */
export async function loadState(
  log: Pick<Log, 'loadSnapshots'>,
  logger: Pick<Logger, 'warn'>,
): Promise<State | null> {
  for (const snapshot of await log.loadSnapshots()) {
    const { seq, version } = snapshot;
    const state = version === SNAPSHOT_VERSION ? await restore(snapshot, logger) : null;
    if (state !== null) return state;
    logger.warn({ seq, version }, 'snapshot passed over');
  }
  return null;
}

async function restore({ seq, digest, body }: Snapshot, logger: Pick<Logger, 'warn'>): Promise<State | null> {
  try {
    const state = restoreState(linesOf(await decompress(body)));
    const hash = createHash('sha256');
    for (const line of stateLines(state)) hash.update(line).update('\n');
    return state.seq === seq && hash.digest('hex') === digest ? state : null;
  } catch (err) {
    logger.warn({ err, seq }, 'snapshot not readable');
    return null;
  }
}

/** One at a time: all of them together take gigabytes for 100,000 accounts with long histories. */
function* linesOf(text: Buffer): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield text.toString('utf8', from, to);
    from = to + 1;
  }
}

/** A snapshot would have taken longer than there was time for. */
export class SnapshotLateError extends Error {
  override readonly name = 'SnapshotLateError';
}

/**
 * The state as it is at the moment of the call. Rejects with `SnapshotLateError` after `limitMs`. Makes all of its lines before it waits for anything, which holds the
 * event loop: some 50 ms for a paper market, seconds for 100,000 accounts with long histories.
 */
export async function snapshotOf(state: State, limitMs = Number.POSITIVE_INFINITY): Promise<Snapshot> {
  const { seq } = state;
  const untilMs = performance.now() + limitMs;
  const hash = createHash('sha256');
  const lines: Buffer[] = [];
  for (const line of stateLines(state)) {
    const bytes = Buffer.from(`${line}\n`);
    hash.update(bytes);
    lines.push(bytes);
    if (performance.now() > untilMs) throw new SnapshotLateError(`entry ${seq}`);
  }
  const compressing = compress(Buffer.concat(lines).subarray(0, -1));
  const body = await within(compressing, untilMs - performance.now(), new SnapshotLateError(`entry ${seq}`));
  return { seq, version: SNAPSHOT_VERSION, digest: hash.digest('hex'), body };
}

async function within<T>(promise: Promise<T>, limitMs: number, error: Error): Promise<T> {
  if (limitMs === Number.POSITIVE_INFINITY) return promise;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error), limitMs);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export interface SnapshotsOptions {
  readonly log: Pick<Log, 'saveSnapshot'>;
  readonly state: State;
  /** Makes a snapshot of the state as it is now, or was a moment ago, without holding the event loop. */
  readonly take: (signal: AbortSignal) => Promise<Snapshot>;
  readonly limit?: Replayed;
}

/** Saves the state whenever a replay would have too much to go through, and at the end. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  #since: Replayed = { entries: 0, bytes: 0 };
  #savedSeq: number;
  #saving: Promise<void> | null = null;
  readonly #givingUp = new AbortController();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#savedSeq = options.state.seq;
  }

  /** To be told of all that is applied, also of what a start replays. */
  applied({ entries, bytes }: Replayed): void {
    this.#since = { entries: this.#since.entries + entries, bytes: this.#since.bytes + bytes };
  }

  /** Saves if enough has come since the last time; two are never saved at once. */
  async saveIfDue(): Promise<void> {
    const { take, limit = REPLAY_LIMIT } = this.#options;
    const isDue = this.#since.entries >= limit.entries || this.#since.bytes >= limit.bytes;
    const { signal } = this.#givingUp;
    if (!isDue || this.#saving !== null || signal.aborted) return;
    await this.#save(() => take(signal)).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Breaks off what is being taken: a stop cannot wait for it, and saves a newer one. */
  giveUp(): void {
    this.#givingUp.abort();
  }

  /**
   * Saves the state as it is now, unless that was saved already: for a node that answers nobody any more. Rejects with
   * `SnapshotLateError` when it cannot be made in time; the next start has the more to replay.
   */
  async save(limitMs?: number): Promise<void> {
    await this.#saving?.catch(() => {});
    const { state } = this.#options;
    if (state.seq !== this.#savedSeq) await this.#save(() => snapshotOf(state, limitMs));
  }

  #save(take: () => Promise<Snapshot>): Promise<void> {
    this.#since = { entries: 0, bytes: 0 };
    this.#saving = this.#saveTaken(take).finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  async #saveTaken(take: () => Promise<Snapshot>): Promise<void> {
    const snapshot = await take();
    await this.#options.log.saveSnapshot(snapshot);
    this.#savedSeq = snapshot.seq;
  }
}
