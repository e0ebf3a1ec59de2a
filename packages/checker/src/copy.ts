/** The checker's copy of the log, which begins again once operators have restored an old one (CUS-18). */

import { FollowedLog, type FollowOptions, LogToolError, UnusableProofError } from '@venue/audit';
import type { ProvenFile } from './proven.ts';

type Fault = Awaited<ReturnType<FollowedLog['advance']>>;

export interface CopyParts {
  /** The log, as `openLogReader` takes it. */
  readonly spec: string;
  readonly file: Pick<ProvenFile, 'path' | 'read' | 'refuse' | 'keep'>;
  readonly log: (line: string) => void;
  /** As `FollowedLog.open` takes it. */
  readonly verifier?: FollowOptions['verifier'];
}

/** Beginning again proves every entry, so a copy that is still not proven is not tried more often. */
const AGAIN_MS = 60_000;
/** The proof is written after so many entries at the latest, so that a kill costs no more. */
const ENTRIES_AT_A_TIME = 100_000;

export class Copy {
  readonly #parts: CopyParts;
  #log: FollowedLog;
  /** The log as it is now, from its first entry, while the one that was followed has a fault. */
  #next: FollowedLog | null = null;
  #isTold = false;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  /** Goes on from what the file says is proven. Throws `LogToolError` for a log that cannot be read. */
  static async open(parts: CopyParts): Promise<Copy> {
    return new Copy(parts, await openedFrom(parts));
  }

  private constructor(parts: CopyParts, log: FollowedLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** The proven log. Another one after `advance` has begun again. */
  get log(): FollowedLog {
    return this.#log;
  }

  /**
   * Proves what is new. A log that goes on differently is a fault, unless the one that is there now is proven from its
   * first entry on and is of a later epoch: operators raise it after they restored an old copy (CUS-3).
   */
  async advance(): Promise<Fault> {
    const fault = await this.#prove();
    if (fault === null || !(await this.#isRestored())) return fault;
    await this.#log.close();
    this.#log = this.#next!;
    this.#next = null;
    await this.#parts.file.keep(this.#log);
    return null;
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#next?.close();
  }

  async #prove(): Promise<Fault> {
    do {
      const fault = await this.#log.advance(ENTRIES_AT_A_TIME);
      if (fault !== null) return fault;
      await this.#parts.file.keep(this.#log);
    } while (this.#log.isBehind);
    this.#tell();
    return null;
  }

  /** Once, so that a person sees whether a start went on or began again. */
  #tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const { seq, fromSeq } = this.#log;
    const earlier = fromSeq === 0 ? '' : `, after the ${fromSeq} of ${this.#parts.file.path}`;
    this.#parts.log(`proven ${seq - fromSeq} entries of the log${earlier}`);
  }

  async #isRestored(): Promise<boolean> {
    if (performance.now() - this.#failedAtMs < AGAIN_MS) return false;
    try {
      this.#next ??= await FollowedLog.open(this.#parts.spec, { verifier: this.#parts.verifier });
      if ((await this.#next.advance()) === null)
        return this.#next.state.custody.epoch > this.#log.state.custody.epoch;
    } catch (error) {
      if (!(error instanceof LogToolError)) throw error;
    }
    await this.#next?.close();
    this.#next = null;
    this.#failedAtMs = performance.now();
    return false;
  }
}

async function openedFrom({ spec, file, verifier }: CopyParts): Promise<FollowedLog> {
  const proof = file.read();
  if (proof === null) return FollowedLog.open(spec, { verifier });
  try {
    return await FollowedLog.open(spec, { verifier, proof });
  } catch (error) {
    if (!(error instanceof UnusableProofError)) throw error;
    file.refuse(error);
    return FollowedLog.open(spec, { verifier });
  }
}
