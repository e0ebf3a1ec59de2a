/** The checker's copy of the log, which begins again once operators have restored an old one (CUS-18). */

import { FollowedLog, LogToolError } from '@venue/audit';

type Fault = Awaited<ReturnType<FollowedLog['advance']>>;

/** Beginning again proves every entry, so a copy that is still not proven is not tried more often. */
const AGAIN_MS = 60_000;

export class Copy {
  readonly #spec: string;
  #log: FollowedLog;
  /** The log as it is now, from its first entry, while the one that was followed has a fault. */
  #next: FollowedLog | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  /** Throws `LogToolError` for a log that cannot be read. */
  static async open(spec: string): Promise<Copy> {
    return new Copy(spec, await FollowedLog.open(spec));
  }

  private constructor(spec: string, log: FollowedLog) {
    this.#spec = spec;
    this.#log = log;
  }

  /** What is proven. Another one after `advance` has begun again. */
  get log(): FollowedLog {
    return this.#log;
  }

  /**
   * Proves what is new. A log that goes on differently is a fault, unless the one that is there now is proven from its
   * first entry on and is of a later epoch: operators raise it after they restored an old copy (CUS-3).
   */
  async advance(): Promise<Fault> {
    const fault = await this.#log.advance();
    if (fault === null || !(await this.#isRestored())) return fault;
    await this.#log.close();
    this.#log = this.#next!;
    this.#next = null;
    return null;
  }

  async close(): Promise<void> {
    await this.#log.close();
    await this.#next?.close();
  }

  async #isRestored(): Promise<boolean> {
    if (performance.now() - this.#failedAtMs < AGAIN_MS) return false;
    try {
      this.#next ??= await FollowedLog.open(this.#spec);
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
