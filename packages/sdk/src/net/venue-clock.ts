/** The venue's time, for a machine whose own clock may be wrong (SIG-5). */

import type { Venue } from '@venue/protocol';
import { ClockOffError, isRefusedAs } from './errors.ts';
import type { Transport } from './transport.ts';

/** A clock of this machine that was set, or stood still while it slept, by more than this has to be compared again. */
const DRIFT_MS = 1_000;

interface Comparison {
  readonly venueMs: number;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Goes on from the last answer of the venue; before the first it is this machine's clock. */
export class VenueClock {
  readonly #transport: Transport;
  #last: Comparison | null = null;

  constructor(transport: Transport) {
    this.#transport = transport.toNodes();
  }

  now(): number {
    if (this.#last === null) return Date.now();
    return Math.round(this.#last.venueMs + performance.now() - this.#last.monotonicMs);
  }

  /** Asks the venue unless the answer that there is still holds. Throws if the venue does not answer. */
  async compare(): Promise<void> {
    if (this.#last !== null && Math.abs(driftSince(this.#last)) < DRIFT_MS) return;
    const startedMs = performance.now();
    const venueMs = await venueTime(this.#transport);
    const monotonicMs = performance.now();
    // The answer is from somewhere between.
    this.#last = { venueMs: venueMs + (monotonicMs - startedMs) / 2, wallMs: Date.now(), monotonicMs };
  }
}

function driftSince({ wallMs, monotonicMs }: Comparison): number {
  return Date.now() - wallMs - (performance.now() - monotonicMs);
}

async function venueTime(transport: Transport): Promise<number> {
  return (await transport.get<Venue>('/v1/venue')).time;
}

/**
 * The error to throw in the place of a refusal: one that names the clock and how far it is off, where the venue refused a
 * nonce or an expiry as too old or too new; else the refusal itself.
 */
export async function namingTheClock(
  error: unknown,
  transport: Transport,
  now: () => number,
): Promise<unknown> {
  if (!isRefusedAs(error, 'nonce-outside-window') && !isRefusedAs(error, 'bad-expiry')) return error;
  try {
    const aheadMs = now() - (await venueTime(transport.toNodes()));
    return new ClockOffError(error.status, error.message, aheadMs, error.code);
  } catch {
    return error;
  }
}
