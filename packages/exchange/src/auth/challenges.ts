/** Outstanding sign-in challenges: in memory, single use, ten minutes each (AUTH-1). */

import { type Address, challengeMessage } from '@venue/protocol';

export const CHALLENGE_LIFETIME_MS = 10 * 60_000;
const OUTSTANDING_MAX = 65_536;
const NONCE_BYTES = 16;

export interface ChallengesOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Challenges held at once; past it the oldest goes. */
  readonly outstandingMax?: number;
}

interface Challenge {
  readonly message: string;
  readonly expiresAtMs: number;
}

export type TakenChallenge =
  | { readonly message: string }
  | { readonly refusal: 'noChallenge' | 'challengeExpired' };

export class Challenges {
  readonly #now: () => number;
  readonly #randomBytes: (size: number) => Uint8Array;
  readonly #outstandingMax: number;
  /** In order of issue. */
  readonly #outstanding = new Map<Address, Challenge>();

  constructor({ now, randomBytes, outstandingMax = OUTSTANDING_MAX }: ChallengesOptions) {
    this.#now = now;
    this.#randomBytes = randomBytes;
    this.#outstandingMax = outstandingMax;
  }

  /** The text to sign. While one is outstanding it is that one, so that nobody can overwrite another's. */
  issue(address: Address): string {
    const outstanding = this.#outstanding.get(address);
    if (outstanding !== undefined && this.#isLive(outstanding)) return outstanding.message;
    this.#outstanding.delete(address);
    if (this.#outstanding.size >= this.#outstandingMax) this.#dropOldest();
    const nonce = Buffer.from(this.#randomBytes(NONCE_BYTES)).toString('hex');
    const message = challengeMessage({ address, nonce });
    this.#outstanding.set(address, { message, expiresAtMs: this.#now() + CHALLENGE_LIFETIME_MS });
    return message;
  }

  /** The text issued to the address, which is consumed by asking. An expired one says so once. */
  take(address: Address): TakenChallenge {
    const challenge = this.#outstanding.get(address);
    if (challenge === undefined) return { refusal: 'noChallenge' };
    this.#outstanding.delete(address);
    return this.#isLive(challenge) ? { message: challenge.message } : { refusal: 'challengeExpired' };
  }

  #isLive(challenge: Challenge): boolean {
    return this.#now() < challenge.expiresAtMs;
  }

  #dropOldest(): void {
    const [oldest] = this.#outstanding.keys();
    if (oldest !== undefined) this.#outstanding.delete(oldest);
  }
}
