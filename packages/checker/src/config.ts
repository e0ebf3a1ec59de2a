/** Reads the configuration of the checker from its environment. */

import { type Environment, readVariables, refuseUnknownNames } from '@venue/config';
import { enoughServers, guardianKeySource, type KeySource, rpcUrlsOf } from '@venue/vault/parts';

export interface CheckerConfig {
  /** The copy of the log, as `openLogReader` takes it; may hold a password. */
  readonly copy: string;
  /** The file that the deployment of vault and gate wrote. */
  readonly deployment: string;
  readonly statePath: string;
  /** Objects that a person has found right, each as `entry:5`, `payout:17` or `operation:0x…`. */
  readonly seen: ReadonlySet<string>;
  /** They may hold keys; only their hosts may be shown. */
  readonly rpcUrls: readonly string[];
  readonly confirmations: number | 'finalized' | null;
  readonly pollMs: number;
  readonly key: KeySource;
  readonly feeMaxWei: bigint;
  readonly metricsPort: number | null;
}

const GWEI = 10n ** 9n;

/** Throws `ConfigError` for a missing or invalid variable; an empty one counts as absent. */
export function loadCheckerConfig(env: Environment): CheckerConfig {
  refuseUnknownNames(env);
  const values = readVariables('checker', env);
  return {
    copy: values.VENUE_CHECKER_LOG,
    deployment: values.VENUE_VAULT_DEPLOYMENT,
    statePath: values.VENUE_CHECKER_STATE,
    seen: values.VENUE_CHECKER_SEEN ?? new Set(),
    rpcUrls: enoughServers(rpcUrlsOf(values), values.VENUE_RPC_SINGLE),
    confirmations: values.VENUE_CONFIRMATIONS,
    pollMs: values.VENUE_RPC_POLL_MS,
    key: guardianKeySource(values),
    feeMaxWei: BigInt(values.VENUE_MAX_FEE_GWEI) * GWEI,
    metricsPort: values.VENUE_CHECKER_METRICS_PORT,
  };
}
