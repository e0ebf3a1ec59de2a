/** The lines that show the watcher's progress. */

import { usdText } from '../chain/amounts.ts';

export interface ProgressOptions {
  readonly log: (line: string) => void;
}

/** Time between lines while catching up, and after it. */
const CATCH_UP_EVERY_MS = 5_000;
const STATUS_EVERY_MS = 60_000;

export class Progress {
  readonly #options: ProgressOptions;
  readonly #since = { deposits: 0, micros: 0n };
  #total = 0;
  #startBlock: number | null = null;
  #saidAtMs = Number.NEGATIVE_INFINITY;
  #isFollowing = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Counts a deposit that the exchange accepted as new. */
  credited(amountMicros: number): void {
    this.#total += 1;
    this.#since.deposits += 1;
    this.#since.micros += BigInt(amountMicros);
  }

  /** Logs the watcher's position if a line is due. */
  report({ block, target, head }: { block: number; target: number; head: number }): void {
    if (block < target) this.#catchingUp(block, target);
    else this.#following(block, head);
  }

  #catchingUp(block: number, target: number): void {
    this.#startBlock ??= block;
    if (!this.#isDue(CATCH_UP_EVERY_MS)) return;
    const percent = Math.floor((100 * (block - this.#startBlock)) / Math.max(1, target - this.#startBlock));
    this.#say(`catching up: block ${block} of ${target}, ${percent} %, ${this.#total} new deposits so far`);
  }

  #following(block: number, head: number): void {
    this.#startBlock = null;
    if (!this.#isFollowing) this.#say(`following the chain: block ${block}, head ${head}`);
    else if (this.#isDue(STATUS_EVERY_MS)) this.#status(block, head);
    this.#isFollowing = true;
  }

  #status(block: number, head: number): void {
    const { deposits, micros } = this.#since;
    this.#say(`block ${block}, head ${head}; since the last line ${deposits} deposits, ${usdText(micros)}`);
    this.#since.deposits = 0;
    this.#since.micros = 0n;
  }

  #isDue(everyMs: number): boolean {
    return performance.now() - this.#saidAtMs >= everyMs;
  }

  #say(line: string): void {
    this.#options.log(line);
    this.#saidAtMs = performance.now();
  }
}
