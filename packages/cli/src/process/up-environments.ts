/** The environment that `venue up` gives to each of its processes. */

import { randomBytes } from 'node:crypto';
import {
  ConfigError,
  type Environment,
  readVariables,
  secretText,
  unknownVariables,
  VARIABLES,
} from '@venue/config';
import { loadCrowdConfig } from '@venue/crowd';
import { loadConfig } from '@venue/exchange/config';
import { loadFeedConfig } from '@venue/feed';
import { loadMakerConfig, WIDE_SURFACE_PATH } from '@venue/maker';
import type { MarketWallet } from './market-wallets.ts';

/** The clients of the exchange, by the names that begin their lines. */
export type Part = 'feed' | 'maker' | 'maker-2' | 'crowd';

export interface UpEnvironments {
  readonly exchange: Environment;
  /** The clients to run, in the order of their start. */
  readonly parts: readonly Part[];
  /** Environment of a client of the exchange, once that has an address. */
  client(part: Part, url: string): Environment;
}

/** Finds or makes the wallet of a name. */
export type WalletOf = (name: string) => MarketWallet;

/** A paper market prints rarely and archives its log early, which bounds what it writes in a day. */
const PAPER_DEFAULTS = { VENUE_FEED_TICK_MS: '1000', VENUE_ARCHIVE_MS: '3600000' };
const ANY_KEY = `0x${'1'.repeat(64)}`;

/**
 * Environments of all processes. A secret that is not set is generated for this run, and each client gets only
 * its own (CRED-1). Throws the error of the part whose variable is wrong, before anything starts or is made.
 */
export function upEnvironments(env: Environment, walletOf: WalletOf): UpEnvironments {
  // Comes first, so that nobody is told to fix other variables before this one.
  if (env.VENUE_FUNDING_MODE === 'deposits') {
    throw new ConfigError(
      'venue up runs a paper market; with real money each process is started with its own secrets (docs/how-to/run-custody.md)',
    );
  }
  const unknown = new Set(unknownVariables(env));
  // They have been reported once; each process would report them again.
  const known = withDefaults(Object.fromEntries(Object.entries(env).filter(([name]) => !unknown.has(name))));
  const parts = partsOf(known);
  check(known);
  return environmentsOf(known, parts, walletOf);
}

function withDefaults(env: Environment): Environment {
  const isSimulated = !env.VENUE_FEED_SOURCE || env.VENUE_FEED_SOURCE === 'simulated';
  const defaults = { ...PAPER_DEFAULTS, ...(isSimulated && { VENUE_SIMULATED_PAST: '1' }) };
  const missing = Object.entries(defaults).filter(([name]) => !env[name]);
  return { ...env, ...Object.fromEntries(missing) };
}

function partsOf(env: Environment): Part[] {
  const { VENUE_UP_MAKERS: makers, VENUE_CROWD_TRADERS: traders } = readVariables('up', env);
  return [
    'feed',
    'maker',
    ...(makers > 1 ? ['maker-2' as const] : []),
    ...(traders > 0 ? ['crowd' as const] : []),
  ];
}

function check(env: Environment): void {
  const client = {
    ...sharedOf(env),
    VENUE_FEED_TOKEN: 'any',
    VENUE_MAKER_TOKEN: 'any',
    VENUE_CROWD_KEY: ANY_KEY,
  };
  loadConfig(env);
  loadFeedConfig(client);
  loadMakerConfig(client);
  loadCrowdConfig(client);
}

function environmentsOf(known: Environment, parts: readonly Part[], walletOf: WalletOf): UpEnvironments {
  const symbols = loadConfig(known).parameters.symbols.map(({ symbol }) => symbol);
  const wallets = new Map(parts.map((part) => [part, walletsOf(part, symbols, walletOf)]));
  const makers = [...wallets].filter(([part]) => part !== 'crowd').flatMap(([, own]) => own);
  const exchange: Environment = {
    ...known,
    // For people a line per process says more than structured logs; faults still show.
    VENUE_LOG_LEVEL: known.VENUE_LOG_LEVEL || 'warn',
    // No other node takes over meanwhile.
    VENUE_DRAIN_MS: '0',
    VENUE_MARK_MAKERS: [
      ...new Set([...listOf(known.VENUE_MARK_MAKERS), ...makers.map(({ address }) => address)]),
    ].join(','),
    ...ownSecret('VENUE_FEED_TOKEN', known),
    ...ownSecret('VENUE_MAKER_TOKEN', known),
  };
  const shared = sharedOf(known);
  const client = (part: Part, url: string) => {
    return { ...shared, VENUE_URL: url, ...ownOf(part, exchange, wallets.get(part)!) };
  };
  return { exchange, parts, client };
}

interface OwnWallet extends MarketWallet {
  readonly symbol: string | null;
}

/** A maker has an account for each underlying, as one has room for the levels of one alone (QTS-2). */
function walletsOf(part: Part, symbols: readonly string[], walletOf: WalletOf): OwnWallet[] {
  switch (part) {
    case 'feed':
      return [];
    case 'crowd':
      return [{ symbol: null, ...walletOf(part) }];
    case 'maker':
    case 'maker-2':
      return symbols.map((symbol) => ({ symbol, ...walletOf(`${part}-${symbol}`) }));
  }
}

/** The variables that only one part gets. */
function ownOf(part: Part, exchange: Environment, wallets: readonly OwnWallet[]): Environment {
  const makerKeys = () => wallets.map(({ symbol, key }) => `${symbol}=${key}`).join(',');
  switch (part) {
    case 'feed':
      return { VENUE_FEED_TOKEN: exchange.VENUE_FEED_TOKEN };
    case 'maker':
      // With the secret it keeps the chain's annotations, which are the venue's own maker's.
      return { VENUE_MAKER_TOKEN: exchange.VENUE_MAKER_TOKEN, VENUE_MAKER_KEY: makerKeys() };
    case 'maker-2':
      return {
        VENUE_MAKER_KEY: makerKeys(),
        VENUE_MAKER_SURFACE: WIDE_SURFACE_PATH,
        // The first one has it.
        VENUE_MAKER_METRICS_PORT: undefined,
      };
    case 'crowd':
      return { VENUE_CROWD_KEY_FILE: wallets[0]?.file };
  }
}

function sharedOf(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name)));
}

function listOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.toLowerCase().split(/\s*,\s*/);
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
