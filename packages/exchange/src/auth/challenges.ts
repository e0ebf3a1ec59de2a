/**
 * Sign-in challenges (OWN-28): single use, valid for ten minutes, and known to every node that shares the secret
 * (AUTH-1).
 */

import { createHmac } from 'node:crypto';
import { CHALLENGE_REMEMBERED_MS, lastSpent, type State } from '@venue/engine';
import { type Address, challengeMessage } from '@venue/protocol';

export const CHALLENGE_LIFETIME_MS = 10 * 60_000;
/** All challenges for an address in the same minute are equal, whichever node issues them. */
const SLOT_MS = 60_000;
/** Largest difference between the clocks of two nodes. */
const CLOCKS_APART_MS = 5_000;
if (CHALLENGE_LIFETIME_MS + 2 * SLOT_MS > CHALLENGE_REMEMBERED_MS)
  throw new Error('a spent challenge would be forgotten while it can be signed in with');

const OUTSTANDING_MAX = 65_536;
/** Failed attempts that a node logs in a burst, refilled at one a second: anyone can make them for any address. */
const FAILURES_BURST = 20;
const FAILURE_EVERY_MS = 1_000;
const NONCE_BYTES = 16;

export interface ChallengesOptions {
  readonly state: State;
  /** Unix milliseconds, never before the last entry. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly secret: Uint8Array | string;
  /** True if other nodes share the secret, and so may have issued the challenge. */
  readonly isShared: boolean;
  /** Limit on outstanding challenges, and on spent ones remembered; beyond it the oldest is dropped. */
  readonly outstandingMax?: number;
}

interface Challenge {
  readonly message: string;
  readonly expiresAtMs: number;
  /** The entry that spent the address's previous challenge; 0 for none. */
  readonly after: number;
}

/** The texts that an address may have signed. */
export interface Attempt {
  /** The entry that spent the address's last challenge; 0 for none. */
  readonly after: number;
  /** The possible texts, the likeliest first. */
  readonly messages: readonly string[];
  /** The error when the signature fits none. */
  readonly otherwise: 'badSignature' | 'noChallenge';
}

export type TakenChallenge = Attempt | { readonly refusal: 'noChallenge' | 'challengeExpired' };

/**
 * The nonce of a challenge is a keyed hash of the address, the minute and the last entry that spent a challenge of
 * the address, so nodes need not tell each other what they issued. Challenges issued here are also kept with their
 * exact time.
 */
export class Challenges {
  readonly #options: ChallengesOptions;
  /** In order of issue. */
  readonly #outstanding = new Map<Address, Challenge>();
  /** Texts tried at this node, oldest first. One whose use never reached the log still stays spent here. */
  readonly #givenUp = new Set<string>();
  /** When the logged attempts would all be paid for. */
  #failuresPaidMs = 0;

  constructor(options: ChallengesOptions) {
    this.#options = options;
  }

  /**
   * The text to sign. While a challenge is outstanding it is returned again, so that nobody can overwrite another's.
   */
  issue(address: Address): string {
    const outstanding = this.#unspent(address);
    if (outstanding !== undefined && this.#isLive(outstanding)) return outstanding.message;
    this.#outstanding.delete(address);
    const { now, randomBytes, outstandingMax = OUTSTANDING_MAX } = this.#options;
    if (this.#outstanding.size >= outstandingMax) dropOldest(this.#outstanding);
    const common = this.#messageOf(address, slotOf(now()));
    const message = this.#givenUp.has(common)
      ? challengeMessage({ address, nonce: Buffer.from(randomBytes(NONCE_BYTES)).toString('hex') })
      : common;
    const expiresAtMs = now() + CHALLENGE_LIFETIME_MS;
    this.#outstanding.set(address, { message, expiresAtMs, after: this.#lastSpent(address)?.seq ?? 0 });
    return message;
  }

  /**
   * Takes the challenges that the address may sign in with. Those held here are thereby spent; an expired one is
   * reported once.
   */
  take(address: Address): TakenChallenge {
    const held = this.#unspent(address);
    this.#outstanding.delete(address);
    if (held !== undefined && !this.#isLive(held)) return { refusal: 'challengeExpired' };
    const mayBeElsewhere = this.#options.isShared;
    if (!mayBeElsewhere && held === undefined) return { refusal: 'noChallenge' };
    const spent = this.#lastSpent(address);
    const messages = new Set(held === undefined ? [] : [held.message]);
    if (mayBeElsewhere)
      for (const slot of this.#liveSlots(spent?.ts)) {
        const message = this.#messageOf(address, slot);
        if (!this.#givenUp.has(message)) messages.add(message);
      }
    if (held !== undefined) this.#giveUp(held.message);
    // If none is held here, another node may have issued one, unless the last was spent and none was issued since.
    const isKnown = held !== undefined || spent === undefined;
    return {
      after: spent?.seq ?? 0,
      messages: [...messages],
      otherwise: isKnown ? 'badSignature' : 'noChallenge',
    };
  }

  /** Returns whether another failed attempt may be logged now. */
  countFailure(): boolean {
    const now = this.#options.now();
    const paidMs = Math.max(now, this.#failuresPaidMs) + FAILURE_EVERY_MS;
    if (paidMs - now > FAILURES_BURST * FAILURE_EVERY_MS) return false;
    this.#failuresPaidMs = paidMs;
    return true;
  }

  #giveUp(message: string): void {
    const { outstandingMax = OUTSTANDING_MAX } = this.#options;
    if (this.#givenUp.size >= outstandingMax) dropOldest(this.#givenUp);
    this.#givenUp.add(message);
  }

  /** The challenge held here, unless another node has spent the address's since. */
  #unspent(address: Address): Challenge | undefined {
    const held = this.#outstanding.get(address);
    const spent = this.#lastSpent(address);
    return held !== undefined && spent !== undefined && spent.seq > held.after ? undefined : held;
  }

  #lastSpent(address: Address) {
    const { state, now } = this.#options;
    return lastSpent(state, address, now());
  }

  /** Minutes whose challenges are still valid, newest first, excluding those before the last one was spent. */
  #liveSlots(spentMs: number | undefined): number[] {
    const now = this.#options.now();
    const last = slotOf(now + CLOCKS_APART_MS);
    const first = Math.max(
      slotOf(now - CHALLENGE_LIFETIME_MS) + 1,
      spentMs === undefined ? 0 : slotOf(spentMs),
    );
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => last - i);
  }

  /** Challenges before and after a spent one must differ, even within the same minute. */
  #messageOf(address: Address, slot: number): string {
    const spent = this.#lastSpent(address);
    const after = spent !== undefined && slot <= slotOf(spent.ts) + 1 ? spent.seq : 0;
    const nonce = createHmac('sha256', this.#options.secret)
      .update(`venue sign-in challenge\n${address}\n${slot}\n${after}`)
      .digest('hex')
      .slice(0, 2 * NONCE_BYTES);
    return challengeMessage({ address, nonce });
  }

  #isLive(challenge: Challenge): boolean {
    return this.#options.now() < challenge.expiresAtMs;
  }
}

function dropOldest<K>(held: Map<K, unknown> | Set<K>): void {
  const [oldest] = held.keys();
  if (oldest !== undefined) held.delete(oldest);
}

function slotOf(ms: number): number {
  return Math.floor(ms / SLOT_MS);
}
