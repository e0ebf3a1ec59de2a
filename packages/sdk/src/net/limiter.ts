/** Keeps a client within what the venue's edge takes from one address, so that it is not answered with 429. */

import { pause } from './backoff.ts';
import { AbortedError, RateLimitedError } from './errors.ts';

/** Requests a minute by class, as the edge counts them (HTTP-10); what is in no class, it does not count. */
const BUDGETS = {
  orders: 60,
  cancels: 60,
  batches: 300,
  pushes: 600,
  signIns: 10,
  others: 300,
} as const;
type EdgeClass = keyof typeof BUDGETS;

/** Requests that were sent evenly may arrive in a bunch, so a little of the budget is left over. */
const SHARE = 0.95;
/**
 * The share of batches kept back for those that only cancel or renew a guard: they would otherwise wait behind all the
 * orders that a client has queued.
 */
const RESERVE = 0.05;
const MINUTE_MS = 60_000;
const TOO_MANY = 429;

interface Bucket {
  /** Requests that may leave at once when it is full. */
  readonly size: number;
  readonly refillMs: number;
}

const RESERVED: Bucket = bucket(BUDGETS.batches * RESERVE, BUDGETS.batches * RESERVE);
const BUCKETS: Readonly<Record<EdgeClass, Bucket>> = {
  orders: bucket(BUDGETS.orders * SHARE),
  cancels: bucket(BUDGETS.cancels * SHARE),
  // With the reserve: no more at once than other classes, and in the long run what the edge takes.
  batches: bucket(BUDGETS.batches * SHARE, BUDGETS.batches * (SHARE - RESERVE)),
  pushes: bucket(BUDGETS.pushes * SHARE),
  signIns: bucket(BUDGETS.signIns * SHARE),
  others: bucket(BUDGETS.others * SHARE),
};

function bucket(perMinute: number, size = perMinute): Bucket {
  return { size, refillMs: MINUTE_MS / perMinute };
}

/** The routes of those who run a venue do not lead through its edge. */
const INSIDE = /^\/v1\/(operator|maker|feed|quotes|deposit|custody)(\/|$)/;

function classOf(path: string): EdgeClass | null {
  if (path === '/v1/batch') return 'batches';
  if (path.startsWith('/v1/quote-sets/')) return 'pushes';
  if (path === '/v1/order/cancel' || path === '/v1/cancel') return 'cancels';
  if (path === '/v1/order' || path === '/v1/withdraw') return 'orders';
  if (path.startsWith('/v1/auth/')) return 'signIns';
  return path.startsWith('/v1/') && !INSIDE.test(path) ? 'others' : null;
}

/** Bounds and urgency of one request. */
export interface Turn {
  readonly limitMs: number;
  readonly signal?: AbortSignal;
  /** For a batch that only cancels or renews a guard. */
  readonly isUrgent?: boolean;
}

/**
 * A bucket for each class that fills evenly. A request waits its turn; one that could not have it within its time limit
 * is refused at once.
 */
export class Limiter {
  readonly #now: () => number;
  /** When each bucket would be full again. */
  readonly #fullAtMs = new Map<Bucket, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the request may leave. Throws `RateLimitedError`, or `AbortedError` once the signal has aborted. */
  async admit(path: string, { limitMs, signal, isUrgent = false }: Turn): Promise<void> {
    const found = classOf(path);
    if (found === null) return;
    const from = isUrgent && found === 'batches' ? this.#soonest(BUCKETS.batches, RESERVED) : BUCKETS[found];
    const waitMs = this.#waitMs(from);
    if (waitMs > limitMs) {
      const text = `the edge takes ${BUDGETS[found]} of these a minute: not sent`;
      throw new RateLimitedError(TOO_MANY, text, Math.ceil(waitMs), 'sdk:paced');
    }
    this.#take(from, 1);
    if (waitMs <= 0) return;
    await pause(waitMs, signal);
    if (!signal?.aborted) return;
    this.#take(from, -1);
    throw new AbortedError('ended while it waited its turn', { cause: signal.reason, neverSent: true });
  }

  #soonest(one: Bucket, other: Bucket): Bucket {
    return this.#waitMs(one) <= this.#waitMs(other) ? one : other;
  }

  #waitMs(from: Bucket): number {
    const { size, refillMs } = from;
    return Math.floor(this.#fullIn(from) - (size - 1) * refillMs);
  }

  #take(from: Bucket, count: number): void {
    this.#fullAtMs.set(from, this.#now() + this.#fullIn(from) + count * from.refillMs);
  }

  #fullIn(from: Bucket): number {
    return Math.max((this.#fullAtMs.get(from) ?? 0) - this.#now(), 0);
  }
}

/** One for each address in the whole process, as the edge counts clients by theirs. */
const SHARED = Symbol.for('@venue/sdk limiters');
const shared = globalThis as { [SHARED]?: Map<string, Limiter> };
shared[SHARED] ??= new Map();
const BY_ADDRESS = shared[SHARED];

/** The limiter of a venue's address, shared by every client of this process. */
export function limiterOf(url: string): Limiter {
  const limiter = BY_ADDRESS.get(url) ?? new Limiter();
  BY_ADDRESS.set(url, limiter);
  return limiter;
}
