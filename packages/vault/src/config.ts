/** The only file of the vault's daemons that reads the environment. */

import { type Address, decimalToMicros, type Hex, parseAddress } from '@venue/protocol';
import { isHeaderText, venueUrlFault } from '@venue/sdk';
import { privateKeyToAddress } from 'viem/accounts';
import { parseHash } from './chain/parse.ts';
import { VaultConfigError } from './config-error.ts';

/** What every daemon knows of the chain, the vault and the exchange. */
export interface VaultConfig {
  readonly url: string;
  readonly operatorToken: string;
  /** May hold a key: its host alone may be shown. */
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly vault: Address;
  /** The stablecoin that the vault has to hold. */
  readonly token: Address;
  /** Block in which the vault was deployed; nothing before it is read. */
  readonly fromBlock: number;
  /** Blocks on top of a block until it counts. */
  readonly confirmations: number;
  /** Most blocks in one request for logs. */
  readonly chunkBlocks: number;
  /** Time between two looks at the chain. */
  readonly pollMs: number;
}

export interface WatcherConfig extends VaultConfig {
  readonly statePath: string;
  /** Logs that an operator has dealt with by hand, as `logKey` writes them. */
  readonly skip: ReadonlySet<string>;
}

export interface BatcherConfig extends VaultConfig {
  readonly statePath: string;
  readonly operatorKey: Hex;
  readonly batchMax: number;
  /** What is asked for by one account is not committed while it is less. */
  readonly payoutMinMicros: number;
  /** Time between two batches. */
  readonly intervalMs: number;
  /** A transaction that waits longer than this is sent again with a higher fee. */
  readonly feeBumpAfterMs: number;
  readonly feeMaxWei: bigint;
}

/** What `venue reserves` needs, which signs nothing and has no secret. */
export interface ReservesConfig extends Pick<VaultConfig, 'url' | 'rpcUrl' | 'vault'> {
  /** Null takes whatever chain the node is of. */
  readonly chainId: number | null;
  /** Null takes whatever token the vault holds. */
  readonly token: Address | null;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const GWEI = 10n ** 9n;
const BLOCK_MAX = 1e12;
const DAY_MS = 86_400_000;
const PAYOUT_MIN_USD_MAX = 1_000_000;
/** Ids that one request notes as committed, whole or not at all: even of 16 digits they fit into its 4 KiB. */
export const NOTED_AT_ONCE_MAX = 200;

/** Reads the watcher's variables, an empty one as absent; throws `VaultConfigError` for a missing or wrong one. */
export function loadWatcherConfig(env: Environment): WatcherConfig {
  return {
    ...vaultConfig(env),
    statePath: env.VENUE_WATCHER_STATE || './data/watcher.json',
    skip: skipOf(env.VENUE_WATCHER_SKIP ?? ''),
  };
}

/** As `loadWatcherConfig`, for the batcher. */
export function loadBatcherConfig(env: Environment): BatcherConfig {
  const feeMaxGwei = integer(env, 'VENUE_MAX_FEE_GWEI', { absent: 200, min: 1, max: 1_000_000 });
  return {
    ...vaultConfig(env),
    statePath: env.VENUE_BATCHER_STATE || './data/batcher.json',
    operatorKey: keyOf(env.VENUE_VAULT_OPERATOR_KEY),
    batchMax: integer(env, 'VENUE_BATCH_MAX', { absent: NOTED_AT_ONCE_MAX, min: 1, max: NOTED_AT_ONCE_MAX }),
    payoutMinMicros: payoutMinOf(env.VENUE_PAYOUT_MIN_USD || '1'),
    intervalMs: integer(env, 'VENUE_BATCH_INTERVAL_MS', { absent: 15_000, min: 10, max: DAY_MS }),
    feeBumpAfterMs: integer(env, 'VENUE_FEE_BUMP_AFTER_MS', { absent: 120_000, min: 10, max: DAY_MS }),
    feeMaxWei: BigInt(feeMaxGwei) * GWEI,
  };
}

/** As `loadWatcherConfig`, for the command that shows the reserves. */
export function loadReservesConfig(env: Environment): ReservesConfig {
  return {
    url: venueUrlOf(env.VENUE_URL || 'http://127.0.0.1:8080'),
    rpcUrl: rpcUrlOf(env.VENUE_RPC_URL),
    chainId: env.VENUE_CHAIN_ID ? chainIdOf(env) : null,
    vault: addressOf('VENUE_VAULT_ADDRESS', 'the vault contract', env.VENUE_VAULT_ADDRESS),
    token: env.VENUE_TOKEN_ADDRESS ? tokenAddressOf(env) : null,
  };
}

/** Names one log of the chain. */
export function logKey({ txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${txHash}:${logIndex}`;
}

function vaultConfig(env: Environment): VaultConfig {
  return {
    ...loadReservesConfig(env),
    chainId: chainIdOf(env),
    token: tokenAddressOf(env),
    operatorToken: secretOf(env.VENUE_OPERATOR_TOKEN),
    fromBlock: integer(env, 'VENUE_VAULT_FROM_BLOCK', { min: 0, max: BLOCK_MAX }),
    confirmations: integer(env, 'VENUE_CONFIRMATIONS', { absent: 12, min: 1, max: 10_000 }),
    chunkBlocks: integer(env, 'VENUE_RPC_CHUNK_BLOCKS', { absent: 2_000, min: 1, max: 100_000 }),
    pollMs: integer(env, 'VENUE_RPC_POLL_MS', { absent: 3_000, min: 10, max: 600_000 }),
  };
}

function chainIdOf(env: Environment): number {
  return integer(env, 'VENUE_CHAIN_ID', { min: 1, max: Number.MAX_SAFE_INTEGER });
}

function venueUrlOf(text: string): string {
  const fault = venueUrlFault(text);
  if (fault !== null) throw new VaultConfigError(`VENUE_URL ${fault}`);
  return text;
}

function secretOf(text: string | undefined): string {
  if (!text)
    throw new VaultConfigError(
      'VENUE_OPERATOR_TOKEN is not set: the exchange takes deposits and payouts by it',
    );
  if (!isHeaderText(text)) throw new VaultConfigError('VENUE_OPERATOR_TOKEN must be ASCII without spaces');
  return text;
}

// The address may hold a key, so that a wrong one is not repeated.
function rpcUrlOf(text: string | undefined): string {
  if (!text) throw new VaultConfigError('VENUE_RPC_URL is not set: it is the address of a node of the chain');
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new VaultConfigError('VENUE_RPC_URL must be an http address');
  return text;
}

function tokenAddressOf(env: Environment): Address {
  return addressOf('VENUE_TOKEN_ADDRESS', 'the stablecoin that the vault holds', env.VENUE_TOKEN_ADDRESS);
}

function addressOf(name: string, meaning: string, text: string | undefined): Address {
  const address = parseAddress(text ?? '');
  if (address !== undefined) return address;
  throw new VaultConfigError(
    text
      ? `${name} must be 0x and 40 hex digits, not "${text}"`
      : `${name} is not set: it is the address of ${meaning}`,
  );
}

function payoutMinOf(text: string): number {
  const micros = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? decimalToMicros(Number(text)) : undefined;
  if (micros === undefined || Number(text) > PAYOUT_MIN_USD_MAX)
    throw new VaultConfigError(
      `VENUE_PAYOUT_MIN_USD must be a decimal from 0 to ${PAYOUT_MIN_USD_MAX}, not "${text}"`,
    );
  return micros;
}

// A key is never repeated, not even a wrong one.
function keyOf(text: string | undefined): Hex {
  if (!text)
    throw new VaultConfigError('VENUE_VAULT_OPERATOR_KEY is not set: it is the key that commits payouts');
  try {
    privateKeyToAddress(text as Hex);
    if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text as Hex;
  } catch {
    // Said below, without the library's message.
  }
  throw new VaultConfigError('VENUE_VAULT_OPERATOR_KEY must be a private key: 0x and 64 hex digits');
}

function skipOf(text: string): Set<string> {
  const entries = text.split(',').map((entry) => entry.trim());
  return new Set(
    entries.filter(Boolean).map((entry) => {
      const [hash = '', index = '', ...rest] = entry.split(':');
      const txHash = parseHash(hash);
      if (txHash === undefined || rest.length > 0 || !/^\d{1,9}$/.test(index))
        throw new VaultConfigError(
          `VENUE_WATCHER_SKIP must be a list like <transaction hash>:<log index>, not "${entry}"`,
        );
      return logKey({ txHash, logIndex: Number(index) });
    }),
  );
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Stands for a variable that is not set; without it the variable must be. */
  readonly absent?: number;
}

function integer(env: Environment, name: string, { min, max, absent }: Bounds): number {
  const text = env[name];
  if (!text) {
    if (absent !== undefined) return absent;
    throw new VaultConfigError(`${name} is not set: it must be an integer from ${min} to ${max}`);
  }
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max)
    throw new VaultConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
  return value;
}
