/** The environment that `venue up` gives to each of its processes. */

import { randomBytes } from 'node:crypto';
import { ConfigError, type Environment, secretText, unknownVariables, VARIABLES } from '@venue/config';
import { loadConfig } from '@venue/exchange';
import { loadFeedConfig } from '@venue/feed';
import { loadMakerConfig } from '@venue/maker';

export interface UpEnvironments {
  readonly exchange: Environment;
  /** Environment of a client of the exchange, once that has an address. */
  client(part: 'feed' | 'maker', url: string): Environment;
}

const TOKEN_OF = { feed: 'VENUE_FEED_TOKEN', maker: 'VENUE_MAKER_TOKEN' } as const;

/**
 * Environments of the three processes. A secret that is not set is generated for this run, and each client gets only
 * its own (CRED-1). Throws the error of the part whose variable is wrong, before anything starts.
 */
export function upEnvironments(env: Environment): UpEnvironments {
  // Comes first, so that nobody is told to fix other variables before this one.
  if (env.VENUE_FUNDING_MODE === 'deposits') {
    throw new ConfigError(
      'venue up runs a paper market; with real money each process is started with its own secrets (docs/how-to/run-custody.md)',
    );
  }
  const unknown = new Set(unknownVariables(env));
  // They have been reported once; each process would report them again.
  const known = Object.fromEntries(Object.entries(env).filter(([name]) => !unknown.has(name)));
  const exchange: Environment = {
    ...known,
    // For people a line per process says more than structured logs; faults still show.
    VENUE_LOG_LEVEL: env.VENUE_LOG_LEVEL || 'warn',
    // No other node takes over meanwhile.
    VENUE_DRAIN_MS: '0',
    ...ownSecret('VENUE_FEED_TOKEN', known),
    ...ownSecret('VENUE_MAKER_TOKEN', known),
  };
  const shared = Object.fromEntries(Object.entries(known).filter(([name]) => !isSecret(name)));
  const client = (part: 'feed' | 'maker', url: string) => {
    const token = TOKEN_OF[part];
    return { ...shared, VENUE_URL: url, [token]: exchange[token] };
  };
  loadConfig(exchange);
  loadFeedConfig(client('feed', 'http://unknown'));
  loadMakerConfig(client('maker', 'http://unknown'));
  return { exchange, client };
}

/** A secret from its variable or its file, or a new one. */
function ownSecret(name: string, env: Environment): Environment {
  return { [name]: secretText(name, env) || newSecret(), [`${name}_FILE`]: undefined };
}

function isSecret(name: string): boolean {
  return Object.entries<{ secret?: true }>(VARIABLES).some(
    ([declared, { secret }]) => secret && (name === declared || name === `${declared}_FILE`),
  );
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}
