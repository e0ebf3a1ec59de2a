/** Reads the configuration of the push process from its environment. */

import { type Environment, readVariables, refuseUnknownNames } from '@venue/config';

export interface PushConfig {
  /** As `openFollowedLog` takes it; may hold a password. */
  readonly log: string;
  readonly skipSeqs: ReadonlySet<number>;
  /** The private key of VAPID, base64url. */
  readonly privateKey: string;
  readonly contact: string;
  readonly host: string;
  readonly port: number;
  readonly file: string;
  /** Names of hosts, and origins. */
  readonly services: readonly string[];
  readonly ageMs: number;
  readonly metricsPort: number | null;
}

const MINUTE_MS = 60_000;

/** Throws `ConfigError` for a missing or invalid variable; an empty one counts as absent. */
export function loadPushConfig(env: Environment): PushConfig {
  refuseUnknownNames(env);
  const values = readVariables('push', env);
  return {
    log: values.VENUE_LOG,
    skipSeqs: values.VENUE_SKIP_SEQ ?? new Set(),
    privateKey: values.VENUE_PUSH_KEY,
    contact: values.VENUE_PUSH_CONTACT,
    host: values.VENUE_PUSH_HOST,
    port: values.VENUE_PUSH_PORT,
    file: values.VENUE_PUSH_STATE,
    services: values.VENUE_PUSH_SERVICES,
    ageMs: values.VENUE_PUSH_AGE_MINUTES * MINUTE_MS,
    metricsPort: values.VENUE_PUSH_METRICS_PORT,
  };
}
