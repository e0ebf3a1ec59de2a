/** Parameters, secrets and start time shared by all nodes of a simulated venue. */

import type { Environment } from '@venue/config';
import { type Config, loadConfig } from '../src/config.ts';
import { expiryInstants } from '../src/entries/expiries.ts';

export type Kind = 'one node on a disk' | 'two nodes on a database';

export const FEED_TOKEN = 'feed-secret-feed-secret-feed-secret';
export const MAKER_TOKEN = 'maker-secret-maker-secret-maker-secret';
export const OPERATOR_TOKEN = 'operator-secret-operator-secret-operator';
const MAINTENANCE_MS = 2_000;

/** An ordinary Tuesday morning in New York. */
const SOME_DAY_MS = Date.parse('2026-03-03T15:00:00Z');

/** A start time close enough to an expiry that the run reaches it. */
export function firstMoment(beforeExpiryMs: number): number {
  return expiryInstants(SOME_DAY_MS)[0]! * 1_000 - beforeExpiryMs;
}

const DEPOSITS: Environment = {
  VENUE_FUNDING_MODE: 'deposits',
  VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  VENUE_SETTLE_TOKEN_1: 'settle-secret-one-settle-secret-one',
  VENUE_SETTLE_TOKEN_2: 'settle-secret-two-settle-secret-two',
};

export function configOf({ custody }: { readonly custody: boolean }): Config {
  return loadConfig({
    VENUE_SYMBOLS: 'BTC:crypto',
    VENUE_STRIKES_PER_SIDE: '1',
    VENUE_MAINTENANCE_MS: String(MAINTENANCE_MS),
    VENUE_QUOTE_TTL_MS: '8000',
    VENUE_REQUIRE_SIGNED_ORDERS: '1',
    VENUE_LOG_LEVEL: 'silent',
    VENUE_FEED_TOKEN: FEED_TOKEN,
    VENUE_MAKER_TOKEN: MAKER_TOKEN,
    VENUE_TOKEN_SECRET: 'token-secret-token-secret-token-secret',
    ...(custody && DEPOSITS),
  });
}
