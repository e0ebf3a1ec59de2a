/** Configuration of `venue vault gate` for its signers (CUS-15). */

import { type Environment, readVariables } from '@venue/config';
import { guardianKeySource, type KeySource } from '../keys/source.ts';

export interface GateSignerConfig {
  readonly key: KeySource;
  readonly feeMaxWei: bigint;
}

const GWEI = 10n ** 9n;

/** Throws `ConfigError` unless exactly one key of a guardian is named. */
export function loadGateSignerConfig(env: Environment): GateSignerConfig {
  const values = readVariables('vault gate', env);
  return { key: guardianKeySource(values), feeMaxWei: BigInt(values.VENUE_MAX_FEE_GWEI) * GWEI };
}
