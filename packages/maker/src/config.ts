/** The only file of the market maker that reads its environment. */

import { isVenueUrl } from '@venue/sdk';

/** A variable that cannot be used; the message is one line and names it. */
export class MakerConfigError extends Error {
  override name = 'MakerConfigError';
}

export interface MakerConfig {
  readonly url: string;
  readonly makerToken: string;
  /** Time between two looks at the market. */
  readonly intervalMs: number;
}

const INTERVAL_MS = 500;
/** Well inside the time after which the venue pulls the quotes of a silent maker (MM-4). */
const INTERVAL_MAX_MS = 10_000;

/** Reads the maker's variables, an empty one as absent; throws `MakerConfigError` for a missing or wrong one. */
export function loadMakerConfig(env: Readonly<Record<string, string | undefined>>): MakerConfig {
  const url = env.VENUE_URL || 'http://127.0.0.1:8080';
  if (!isVenueUrl(url)) throw new MakerConfigError(`VENUE_URL must be an http address, not "${url}"`);
  const makerToken = env.VENUE_MAKER_TOKEN;
  if (!makerToken) {
    throw new MakerConfigError(
      'VENUE_MAKER_TOKEN is not set: it is the secret that lets the maker post quotes',
    );
  }
  return { url, makerToken, intervalMs: intervalOf(env.VENUE_MAKER_INTERVAL_MS || String(INTERVAL_MS)) };
}

function intervalOf(text: string): number {
  const intervalMs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (intervalMs < 50 || intervalMs > INTERVAL_MAX_MS) {
    throw new MakerConfigError(
      `VENUE_MAKER_INTERVAL_MS must be an integer from 50 to ${INTERVAL_MAX_MS}, not "${text}"`,
    );
  }
  return intervalMs;
}
