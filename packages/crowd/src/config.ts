/** Reads the crowd's configuration from its environment. */

import { type Environment, readVariables } from '@venue/config';
import type { Hex } from '@venue/protocol';

export interface CrowdConfig {
  readonly url: string;
  /** The key of which all wallets come. */
  readonly key: Hex;
  readonly traders: number;
  /** Mean time between two actions of the whole crowd. */
  readonly paceMs: number;
  readonly seed: number;
}

/** Reads the crowd's variables; an empty one counts as absent. Throws `ConfigError` for a missing or invalid one. */
export function loadCrowdConfig(env: Environment): CrowdConfig {
  const values = readVariables('crowd', env);
  return {
    url: values.VENUE_URL,
    key: values.VENUE_CROWD_KEY,
    traders: values.VENUE_CROWD_TRADERS,
    paceMs: values.VENUE_CROWD_PACE_MS,
    seed: values.VENUE_CROWD_SEED ?? Math.floor(Math.random() * 2 ** 32),
  };
}
