/** Keeps a client within what the venue's edge takes from one address, so that it is not answered with 429. */

import { pause } from './backoff.ts';
import { AbortedError, RateLimitedError } from './errors.ts';

/** Requests a minute by class, as the edge counts them; what is in no class, it does not count. */
const BUDGETS = {
  orders: 60,
  cancels: 60,
  batches: 300,
  signIns: 10,
  others: 300,
} as const;
type EdgeClass = keyof typeof BUDGETS;

/** Requests that were sent evenly may arrive in a bunch, so a little of the budget is left over. */
const SHARE = 0.95;
const MINUTE_MS = 60_000;
const TOO_MANY = 429;

/** The routes of those who run a venue do not lead through its edge. */
const INSIDE = /^\/v1\/(operator|maker|feed|quotes|deposit|custody)(\/|$)/;

function classOf(path: string): EdgeClass | null {
  if (path === '/v1/batch') return 'batches';
  if (path === '/v1/order/cancel' || path === '/v1/cancel') return 'cancels';
  if (path === '/v1/order' || path === '/v1/withdraw') return 'orders';
  if (path.startsWith('/v1/auth/')) return 'signIns';
  return path.startsWith('/v1/') && !INSIDE.test(path) ? 'others' : null;
}

/**
 * A bucket for each class that holds a minute's requests and fills evenly. A request waits its turn; one that could
 * not have it within its time limit is refused at once.
 */
export class Limiter {
  readonly #now: () => number;
  /** When each bucket would be full again. */
  readonly #fullAtMs = new Map<EdgeClass, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the request may leave. Throws `RateLimitedError`, or `AbortedError` once the signal has aborted. */
  async admit(
    path: string,
    call: { readonly limitMs: number; readonly signal?: AbortSignal },
  ): Promise<void> {
    const found = classOf(path);
    if (found === null) return;
    const count = BUDGETS[found] * SHARE;
    const everyMs = MINUTE_MS / count;
    const now = this.#now();
    const fullAtMs = Math.max(this.#fullAtMs.get(found) ?? 0, now);
    const waitMs = Math.floor(fullAtMs + everyMs - MINUTE_MS - now);
    if (waitMs > call.limitMs) {
      const text = `the edge takes ${BUDGETS[found]} of these a minute: not sent`;
      throw new RateLimitedError(TOO_MANY, text, Math.ceil(waitMs));
    }
    this.#fullAtMs.set(found, fullAtMs + everyMs);
    if (waitMs <= 0) return;
    await pause(waitMs, call.signal);
    if (!call.signal?.aborted) return;
    this.#fullAtMs.set(found, this.#fullAtMs.get(found)! - everyMs);
    throw new AbortedError('ended while it waited its turn', { cause: call.signal.reason, neverSent: true });
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
