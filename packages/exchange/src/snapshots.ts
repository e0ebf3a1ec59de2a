/** Snapshots of the state, so that a start replays only what came after the newest (design of the log, part 1). */

import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { restoreState, SNAPSHOT_VERSION, type State, stateDigest, stateLines } from '@venue/engine';
import type { Log, Snapshot } from '@venue/log';
import type { Logger } from './logger.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Entries between two snapshots. Taking one holds the event loop for some tens of milliseconds. */
export const SNAPSHOT_EVERY_ENTRIES = 50_000;

/** The newest state that can be restored, or null: of another version, or not what its digest says, it is passed over. */
export async function loadState(log: Log, logger: Logger): Promise<State | null> {
  for (const snapshot of await log.loadSnapshots()) {
    const { seq, version } = snapshot;
    const state = version === SNAPSHOT_VERSION ? await restore(snapshot, logger) : null;
    if (state !== null) return state;
    logger.warn({ seq, version }, 'snapshot passed over');
  }
  return null;
}

async function restore({ seq, digest, body }: Snapshot, logger: Logger): Promise<State | null> {
  try {
    const text = await decompress(body);
    const state = restoreState(text.toString().split('\n'));
    return state.seq === seq && stateDigest(state) === digest ? state : null;
  } catch (err) {
    logger.warn({ err, seq }, 'snapshot not readable');
    return null;
  }
}

/** Saves the state every so many entries, and whenever it is asked to. */
export class Snapshots {
  readonly #log: Log;
  readonly #state: State;
  readonly #everyEntries: number;
  #savedSeq: number;
  #saving: Promise<void> | null = null;

  constructor(log: Log, state: State, everyEntries = SNAPSHOT_EVERY_ENTRIES) {
    this.#log = log;
    this.#state = state;
    this.#everyEntries = everyEntries;
    this.#savedSeq = state.seq;
  }

  /** Saves if enough entries have come since the last time; two are never saved at once. */
  async saveIfDue(): Promise<void> {
    if (this.#saving === null && this.#state.seq - this.#savedSeq >= this.#everyEntries) await this.save();
  }

  /** Saves the state as it is now, unless that was saved already. */
  async save(): Promise<void> {
    await this.#saving;
    if (this.#state.seq === this.#savedSeq) return;
    this.#saving = this.#saveNow().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  async #saveNow(): Promise<void> {
    // Of one moment: no entry is applied between here and the first wait.
    const { seq } = this.#state;
    const text = [...stateLines(this.#state)].join('\n');
    const digest = stateDigest(this.#state);
    const body = await compress(text);
    await this.#log.saveSnapshot({ seq, version: SNAPSHOT_VERSION, digest, body });
    this.#savedSeq = seq;
  }
}
