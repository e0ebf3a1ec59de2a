/** Checks signatures in threads while the replay goes on. */

import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openVerifier, type Verifier } from '@venue/replay';
import type { Faults } from './faults.ts';
import type { Signed } from './signed-texts.ts';

/** Signatures in flight: enough to keep the threads busy, few enough to hold in memory. */
const WAITING_MAX = 2_048;
const WORKERS_MAX = 16;

export class SignatureCheck {
  readonly #verifier: Verifier;
  readonly #faults: Faults;
  #waiting = 0;
  #failure: unknown;
  #wake: () => void = () => {};

  constructor(verifier: Verifier, faults: Faults) {
    this.#verifier = verifier;
    this.#faults = faults;
  }

  /** `workers` is the number of threads. The default is one per core, because the replay itself needs little of one. */
  static async open(faults: Faults, workers = Math.min(WORKERS_MAX, availableParallelism())) {
    // When a thread dies, its open questions are rejected, and `room` and `done` throw.
    const verifier = await openVerifier({ workers, onFailure: () => {} });
    return new SignatureCheck(verifier, faults);
  }

  /** Starts checking a signature. A fault is added by the time `done` resolves. */
  add(seq: number, kind: string, signed: Signed): void {
    this.#waiting += 1;
    this.#check(signed)
      .then((isSigned) => {
        if (!isSigned) this.#faults.add('signature', seq, unsigned(seq, kind, signed));
      })
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#waiting -= 1;
        this.#wake();
      });
  }

  /** Gives the event loop a turn, in which the threads get work, and waits while too many signatures are in flight. */
  async room(): Promise<void> {
    await nextTurn();
    await this.#until(WAITING_MAX);
  }

  /** Resolves when every signature has been checked. */
  async done(): Promise<void> {
    await this.#until(0);
  }

  close(): Promise<void> {
    return this.#verifier.close();
  }

  async #until(waitingMax: number): Promise<void> {
    while (this.#waiting > waitingMax) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #check({ texts, signature, signer }: Signed): Promise<boolean> {
    for (const text of texts) if (await this.#verifier.verify(text, signature, signer)) return true;
    return false;
  }
}

function unsigned(seq: number, kind: string, { signer }: Signed): string {
  return `the signature of entry ${seq} (${kind}) is not by ${signer} over what the entry says`;
}
