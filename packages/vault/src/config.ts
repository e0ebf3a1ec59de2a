/** The configuration of the vault's daemons, from their environment. */

import { ConfigError, type Environment, readVariables, refuseUnknownNames, type Values } from '@venue/config';
import type { Address, Hex } from '@venue/protocol';
import { privateKeyToAddress } from 'viem/accounts';

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
  /** Where metrics are served on 127.0.0.1, or null. */
  readonly metricsPort: number | null;
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

const GWEI = 10n ** 9n;

/** Reads the watcher's variables, an empty one as absent; throws `ConfigError` for a missing or wrong one. */
export function loadWatcherConfig(env: Environment): WatcherConfig {
  refuseUnknownNames(env);
  const values = readVariables('watcher', env);
  return {
    ...vaultConfig(values),
    metricsPort: values.VENUE_WATCHER_METRICS_PORT,
    statePath: values.VENUE_WATCHER_STATE,
    skip: new Set(values.VENUE_WATCHER_SKIP?.map(logKey)),
  };
}

/** As `loadWatcherConfig`, for the batcher. */
export function loadBatcherConfig(env: Environment): BatcherConfig {
  refuseUnknownNames(env);
  const values = readVariables('batcher', env);
  return {
    ...vaultConfig(values),
    metricsPort: values.VENUE_BATCHER_METRICS_PORT,
    statePath: values.VENUE_BATCHER_STATE,
    operatorKey: checkedKey(values.VENUE_VAULT_OPERATOR_KEY),
    batchMax: values.VENUE_BATCH_MAX,
    payoutMinMicros: values.VENUE_PAYOUT_MIN_USD,
    intervalMs: values.VENUE_BATCH_INTERVAL_MS,
    feeBumpAfterMs: values.VENUE_FEE_BUMP_AFTER_MS,
    feeMaxWei: BigInt(values.VENUE_MAX_FEE_GWEI) * GWEI,
  };
}

/** As `loadWatcherConfig`, for the command that shows the reserves. */
export function loadReservesConfig(env: Environment): ReservesConfig {
  const values = readVariables('reserves', env);
  return {
    url: values.VENUE_URL,
    rpcUrl: values.VENUE_RPC_URL,
    chainId: values.VENUE_CHAIN_ID,
    vault: values.VENUE_VAULT_ADDRESS,
    token: values.VENUE_TOKEN_ADDRESS,
  };
}

/** Names one log of the chain. */
export function logKey({ txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${txHash}:${logIndex}`;
}

function vaultConfig(values: Values<'watcher'> | Values<'batcher'>): Omit<VaultConfig, 'metricsPort'> {
  return {
    url: values.VENUE_URL,
    rpcUrl: values.VENUE_RPC_URL,
    chainId: values.VENUE_CHAIN_ID,
    vault: values.VENUE_VAULT_ADDRESS,
    token: values.VENUE_TOKEN_ADDRESS,
    operatorToken: values.VENUE_OPERATOR_TOKEN,
    fromBlock: values.VENUE_VAULT_FROM_BLOCK,
    confirmations: values.VENUE_CONFIRMATIONS,
    chunkBlocks: values.VENUE_RPC_CHUNK_BLOCKS,
    pollMs: values.VENUE_RPC_POLL_MS,
  };
}

/** Not every number of 64 digits is a key of the curve. */
function checkedKey(key: Hex): Hex {
  try {
    privateKeyToAddress(key);
    return key;
  } catch {
    // Said without the library's message, which may repeat the key.
    throw new ConfigError('VENUE_VAULT_OPERATOR_KEY must be a private key: 0x and 64 hex digits');
  }
}
