/** The rate limits that the edge enforces for each client address (FINE-17). */

export interface RateLimit {
  readonly class: 'orders' | 'sign-in' | 'reserves' | 'pushes' | 'reads' | 'streams' | 'none';
  /** Requests per minute. */
  readonly perMinute?: number;
}

const ORDERS: ReadonlySet<string> = new Set(['/v1/order', '/v1/order/cancel', '/v1/cancel', '/v1/withdraw']);

/** The rate class of a path. Previews and lookups do not count as orders. */
export function rateLimitOf(path: string): RateLimit {
  if (ORDERS.has(path)) return { class: 'orders', perMinute: 60 };
  // Auditors who compare reserves with the vault must not be blocked by their other reads.
  if (path === '/v1/reserves') return { class: 'reserves', perMinute: 300 };
  if (path.startsWith('/v1/quote-sets/')) return { class: 'pushes', perMinute: 600 };
  if (path.startsWith('/v1/auth/')) return { class: 'sign-in', perMinute: 10 };
  if (path === '/ws' || path === '/v1/stream') return { class: 'streams', perMinute: 10 };
  if (path.startsWith('/v1/')) return { class: 'reads', perMinute: 300 };
  return { class: 'none' };
}
