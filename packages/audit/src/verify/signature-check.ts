/** Checks signatures in threads beside the replay. */

import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openVerifier, type Verifier } from '@venue/replay';
import type { Faults } from './faults.ts';
import type { Signed } from './signed-texts.ts';

/** How many may be under way: enough that the threads never wait, and little to hold in memory. */
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

  /** `workers` are threads; by default one for each core, as the replay itself takes little of one. */
  static async open(faults: Faults, workers = Math.min(WORKERS_MAX, availableParallelism())) {
    // A thread that dies rejects what it was asked.
    const verifier = await openVerifier({ workers, onFailure: () => {} });
    return new SignatureCheck(verifier, faults);
  }

  /** Takes one in hand; its fault is reported later, `done` at the latest. */
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

  /** Lets the threads be given work, and waits while they have too much of it. */
  async room(): Promise<void> {
    await nextTurn();
    await this.#until(WAITING_MAX);
  }

  /** Waits until all of them are checked. */
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
