/** Checks signatures off the event loop: texts and signatures in, signers out. */

import { availableParallelism } from 'node:os';
import type { Address } from '@venue/protocol';
import type { Implementation } from './recovery.ts';
import { type Job, type Lane, openLane } from './verifier-lane.ts';

export interface Verifier {
  readonly implementation: Implementation;
  /** Recovers the signer of the text under EIP-191, or null if SIG-1 refuses the signature or it fits no key. */
  recover(text: string, signature: string): Promise<Address | null>;
  /**
   * Returns whether `signer` signed the text: the signature as posted, v included, must recover to it. Verifying
   * against a remembered public key would be a fifth cheaper, but accepts either v.
   */
  verify(text: string, signature: string, signer: Address): Promise<boolean>;
  /** Questions waiting for a thread. */
  readonly waiting: number;
  /** Answers pending questions, then ends the threads. */
  close(): Promise<void>;
}

export interface VerifierOptions {
  /** Number of threads; by default one fewer than cores, between 1 and 4. */
  readonly workers?: number;
  /** Questions that may wait for a thread; further ones are refused. By default two seconds' worth. */
  readonly queueMax?: number;
  /** By default native if it loads. */
  readonly implementation?: Implementation;
  /** Called when a thread dies, which ends the verifier. By default the error is thrown uncaught. */
  readonly onFailure?: (error: Error) => void;
}

// A recovery takes some 60 microseconds: a batch holds a thread for two milliseconds, a full queue for two seconds.
const BATCH_MAX = 32;
const QUEUE_MAX = 32_768;
const WORKERS_MAX = 4;
/** `0x` and 65 bytes in hex (SIG-1). Signatures of another length never reach a thread. */
const SIGNATURE_LENGTH = 132;

/**
 * Starts the threads. Rejects if the requested implementation does not load. Questions reject if the verifier is
 * closed, its queue is full or a thread has died.
 *
 * @example
 * const verifier = await openVerifier();
 * const signed = await verifier.verify(orderEnvelope(fields), signature, sessionKey);
 */
export async function openVerifier(options: VerifierOptions = {}): Promise<Verifier> {
  const workers = options.workers ?? Math.min(WORKERS_MAX, Math.max(1, availableParallelism() - 1));
  if (!Number.isInteger(workers) || workers < 1)
    throw new RangeError(`workers must be positive, not ${workers}`);
  const opening = Array.from({ length: workers }, () => openLane(options.implementation));
  const opened = await Promise.allSettled(opening);
  const lanes = opened.flatMap((lane) => (lane.status === 'fulfilled' ? [lane.value] : []));
  const failed = opened.find((lane) => lane.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(lanes.map((lane) => lane.close()));
    throw failed.reason;
  }
  const { queueMax = QUEUE_MAX, onFailure = throwUncaught } = options;
  return new ThreadedVerifier(lanes, { queueMax, onFailure });
}

/** One queue feeds all lanes. While batches are in flight the next one fills up, as in a group commit. */
class ThreadedVerifier implements Verifier {
  readonly implementation: Implementation;
  readonly #lanes: readonly Lane[];
  readonly #queueMax: number;
  readonly #onFailure: (error: Error) => void;
  #queue: Job[] = [];
  #isDispatchScheduled = false;
  #ended: Error | null = null;
  #closing: Promise<void> | null = null;
  #drained: () => void = () => {};

  constructor(
    lanes: readonly Lane[],
    { queueMax, onFailure }: { queueMax: number; onFailure: (error: Error) => void },
  ) {
    this.#lanes = lanes;
    this.#queueMax = queueMax;
    this.#onFailure = onFailure;
    // If one thread has no native library, the verifier as a whole reports the slow implementation.
    this.implementation = lanes.every((lane) => lane.implementation === 'native') ? 'native' : 'javascript';
    for (const lane of lanes) {
      lane.onFree = () => this.#dispatch();
      lane.onDeath = (error) => this.#fail(error);
    }
  }

  get waiting(): number {
    return this.#queue.length;
  }

  recover(text: string, signature: string): Promise<Address | null> {
    if (signature.length !== SIGNATURE_LENGTH) return Promise.resolve(null);
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (this.#queue.length >= this.#queueMax) return Promise.reject(new Error('verification queue full'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, signature, resolve, reject });
      this.#scheduleDispatch();
    });
  }

  async verify(text: string, signature: string, signer: Address): Promise<boolean> {
    return (await this.recover(text, signature)) === signer;
  }

  close(): Promise<void> {
    this.#closing ??= this.#drainAndClose();
    return this.#closing;
  }

  async #drainAndClose(): Promise<void> {
    this.#ended ??= new Error('verifier closed');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    if (this.#isIdle()) resolve();
    await promise;
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /**
   * Sends everything that arrives within one turn of the event loop in one message, to wake a sleeping thread only
   * once. If all lanes are busy, their next answer dispatches.
   */
  #scheduleDispatch(): void {
    if (this.#isDispatchScheduled || !this.#lanes.some((lane) => lane.isFree())) return;
    this.#isDispatchScheduled = true;
    setImmediate(() => {
      this.#isDispatchScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const lane of this.#lanes) {
      while (lane.isFree() && this.#queue.length > 0) lane.send(this.#queue.splice(0, BATCH_MAX));
    }
    if (this.#isIdle()) this.#drained();
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#lanes.every((lane) => lane.isIdle());
  }

  #fail(error: Error): void {
    this.#ended = error;
    const queue = this.#queue;
    this.#queue = [];
    for (const job of queue) job.reject(error);
    if (this.#isIdle()) this.#drained();
    this.#onFailure(error);
  }
}

function throwUncaught(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
