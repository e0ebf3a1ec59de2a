/** Reads the configuration of the vault's daemons from their environment. */

import {
  ConfigError,
  type Environment,
  readVariables,
  refuseUnknownNames,
  VARIABLES,
  type Values,
} from '@venue/config';
import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { logKey } from '../chain/parse.ts';
import { readAddresses, type VaultAddresses } from '../contract/addresses.ts';
import { VaultDeployError } from '../contract/deploy-error.ts';
import { approverKeySource, type KeySource, operatorKeySource } from '../keys/source.ts';

/** The daemon's own secret at the exchange, or the operators' in its place (CUS-9). */
export interface Credential {
  /** The variable that it is from. */
  readonly name: string;
  readonly secret: string;
}

/** Every daemon's configuration of the chain, the vault and the exchange. */
export interface VaultConfig {
  readonly url: string;
  readonly credential: Credential;
  /** At least one. They may hold keys; only their hosts may be shown. */
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly vault: Address;
  /** The stablecoin that the vault must hold. */
  readonly token: Address;
  /** Hash of the vault's code, by the file of its deployment; null takes the vault of this release. */
  readonly codeHash: Hex | null;
  /** Block in which the vault was deployed; earlier ones are never read. */
  readonly fromBlock: number;
  /** Number of blocks on top of a block before it counts, or the chain's own word; null takes the better of the two. */
  readonly confirmations: number | 'finalized' | null;
  /** Most blocks in one request for logs. */
  readonly chunkBlocks: number;
  /** Time between two polls of the chain. */
  readonly pollMs: number;
  /** Port for metrics on 127.0.0.1, or null. */
  readonly metricsPort: number | null;
}

/** Configuration of the attestor, which signs nothing and needs no vault (CUS-19). */
export type AttestorConfig = Pick<
  VaultConfig,
  'url' | 'credential' | 'rpcUrls' | 'chainId' | 'confirmations' | 'pollMs' | 'metricsPort'
>;

export interface WatcherConfig extends VaultConfig {
  /** A head that stands still for as long is an alarm. */
  readonly headStillMinutes: number;
  /** The sum that came to the vault by plain transfers. */
  readonly giftsMicros: number;
  readonly statePath: string;
  /** Logs that an operator has dealt with by hand, in the form of `logKey`. */
  readonly skip: ReadonlySet<string>;
}

/** The limits up to which the batcher pays without an approver, in micros; null is no limit. */
export interface Limits {
  readonly payoutMaxMicros: number | null;
  readonly accountDayMaxMicros: number | null;
  readonly hourMaxMicros: number | null;
}

export interface BatcherConfig extends VaultConfig {
  readonly statePath: string;
  readonly operatorKey: KeySource;
  readonly batchMax: number;
  /** Payouts above these limits wait for an approver, or for the window to pass. */
  readonly limits: Limits;
  /** Whose signatures let a payout through that the limits hold back. */
  readonly approvers: readonly Address[];
  /** True if a payout that carries no signed words is made like one that does. */
  readonly takesUnproven: boolean;
  /** Time between two batches. */
  readonly intervalMs: number;
  /** A transaction pending for longer is sent again with a higher fee. */
  readonly feeBumpAfterMs: number;
  readonly feeMaxWei: bigint;
}

/** Configuration of `venue reserves`, which signs nothing and has no secret. */
export interface ReservesConfig extends Pick<VaultConfig, 'url' | 'rpcUrls' | 'vault' | 'codeHash'> {
  /** Null accepts any chain. */
  readonly chainId: number | null;
  /** Null accepts any token. */
  readonly token: Address | null;
  /** Null finds the deployment. */
  readonly fromBlock: number | null;
  readonly chunkBlocks: number;
  /** The operators' secret, with which every payout and deposit is compared; null compares their sums. */
  readonly operatorToken: string | null;
  readonly giftsMicros: number;
  readonly skip: ReadonlySet<string>;
}

/** Configuration of `venue operator payouts approve`. */
export interface ApproverConfig extends Pick<VaultConfig, 'chainId' | 'vault'> {
  readonly approverKey: KeySource;
}

const GWEI = 10n ** 9n;

/** Reads the watcher's variables; an empty one counts as absent. Throws `ConfigError` for a missing or invalid one. */
export function loadWatcherConfig(env: Environment): WatcherConfig {
  refuseUnknownNames(env);
  const values = readVariables('watcher', env);
  return {
    ...vaultConfig(values),
    credential: credentialOf('VENUE_DEPOSIT_TOKEN', values.VENUE_DEPOSIT_TOKEN, values),
    metricsPort: values.VENUE_WATCHER_METRICS_PORT,
    statePath: values.VENUE_WATCHER_STATE,
    headStillMinutes: values.VENUE_HEAD_STILL_MINUTES,
    giftsMicros: values.VENUE_VAULT_GIFTS,
    skip: new Set(values.VENUE_WATCHER_SKIP?.map(logKey)),
  };
}

/** Same as `loadWatcherConfig`, for the batcher. */
export function loadBatcherConfig(env: Environment): BatcherConfig {
  refuseUnknownNames(env);
  const values = readVariables('batcher', env);
  return {
    ...vaultConfig(values),
    credential: credentialOf('VENUE_PAYOUT_TOKEN', values.VENUE_PAYOUT_TOKEN, values),
    metricsPort: values.VENUE_BATCHER_METRICS_PORT,
    statePath: values.VENUE_BATCHER_STATE,
    operatorKey: operatorKeySource(values),
    batchMax: values.VENUE_BATCH_MAX,
    limits: {
      payoutMaxMicros: values.VENUE_PAYOUT_MAX,
      accountDayMaxMicros: values.VENUE_PAYOUT_ACCOUNT_DAY_MAX,
      hourMaxMicros: values.VENUE_PAYOUT_HOUR_MAX,
    },
    approvers: values.VENUE_PAYOUT_APPROVERS ?? [],
    takesUnproven: values.VENUE_PAYOUT_UNPROVEN,
    intervalMs: values.VENUE_BATCH_INTERVAL_MS,
    feeBumpAfterMs: values.VENUE_FEE_BUMP_AFTER_MS,
    feeMaxWei: BigInt(values.VENUE_MAX_FEE_GWEI) * GWEI,
  };
}

/** Same as `loadWatcherConfig`, for the attestor. */
export function loadAttestorConfig(env: Environment): AttestorConfig {
  refuseUnknownNames(env);
  const values = readVariables('attestor', env);
  return {
    url: values.VENUE_URL,
    credential: credentialOf('VENUE_ATTEST_TOKEN', values.VENUE_ATTEST_TOKEN, values),
    rpcUrls: enoughServers(rpcUrlsOf(values), values.VENUE_RPC_SINGLE),
    chainId: values.VENUE_CHAIN_ID,
    confirmations: values.VENUE_CONFIRMATIONS,
    pollMs: values.VENUE_RPC_POLL_MS,
    metricsPort: values.VENUE_ATTESTOR_METRICS_PORT,
  };
}

/** Same as `loadWatcherConfig`, for the command that shows the reserves. */
export function loadReservesConfig(env: Environment): ReservesConfig {
  const values = readVariables('reserves', env);
  return {
    url: values.VENUE_URL,
    rpcUrls: rpcUrlsOf(values),
    chainId: values.VENUE_CHAIN_ID,
    vault: values.VENUE_VAULT_ADDRESS,
    token: values.VENUE_TOKEN_ADDRESS,
    codeHash: deployedHash(values),
    fromBlock: values.VENUE_VAULT_FROM_BLOCK,
    chunkBlocks: values.VENUE_RPC_CHUNK_BLOCKS,
    operatorToken: values.VENUE_OPERATOR_TOKEN,
    giftsMicros: values.VENUE_VAULT_GIFTS,
    skip: new Set(values.VENUE_WATCHER_SKIP?.map(logKey)),
  };
}

/** Same as `loadWatcherConfig`, for the command by which an approver signs for a payout. */
export function loadApproverConfig(env: Environment): ApproverConfig {
  const values = readVariables('operator payouts approve', env);
  return {
    chainId: values.VENUE_CHAIN_ID,
    vault: values.VENUE_VAULT_ADDRESS,
    approverKey: approverKeySource(values),
  };
}

function vaultConfig(
  values: Values<'watcher'> | Values<'batcher'>,
): Omit<VaultConfig, 'metricsPort' | 'credential'> {
  return {
    url: values.VENUE_URL,
    rpcUrls: enoughServers(rpcUrlsOf(values), values.VENUE_RPC_SINGLE),
    chainId: values.VENUE_CHAIN_ID,
    vault: values.VENUE_VAULT_ADDRESS,
    token: values.VENUE_TOKEN_ADDRESS,
    codeHash: deployedHash(values),
    fromBlock: values.VENUE_VAULT_FROM_BLOCK,
    confirmations: values.VENUE_CONFIRMATIONS,
    chunkBlocks: values.VENUE_RPC_CHUNK_BLOCKS,
    pollMs: values.VENUE_RPC_POLL_MS,
  };
}

/** The code hash in the file of the vault's deployment, which must be of the configured vault; null without a file. */
function deployedHash(
  values: Pick<
    Values<'reserves'>,
    'VENUE_VAULT_DEPLOYMENT' | 'VENUE_CHAIN_ID' | 'VENUE_VAULT_ADDRESS' | 'VENUE_TOKEN_ADDRESS'
  >,
): Hex | null {
  const path = values.VENUE_VAULT_DEPLOYMENT;
  if (path === null) return null;
  const file = deployedAddresses(path);
  const wanted = [
    ['VENUE_CHAIN_ID', values.VENUE_CHAIN_ID, file.chainId],
    ['VENUE_VAULT_ADDRESS', values.VENUE_VAULT_ADDRESS, parseAddress(file.vault)],
    ['VENUE_TOKEN_ADDRESS', values.VENUE_TOKEN_ADDRESS, parseAddress(file.token)],
  ] as const;
  for (const [name, value, inFile] of wanted)
    if (value !== null && value !== inFile)
      throw new ConfigError(
        `VENUE_VAULT_DEPLOYMENT: ${path} is of another vault: ${name} is ${value}, there it is ${inFile}`,
      );
  return file.codeHash;
}

function deployedAddresses(path: string): VaultAddresses {
  try {
    return readAddresses(path);
  } catch (error) {
    if (error instanceof VaultDeployError) throw new ConfigError(`VENUE_VAULT_DEPLOYMENT: ${error.message}`);
    throw error;
  }
}

function credentialOf(
  name: 'VENUE_DEPOSIT_TOKEN' | 'VENUE_PAYOUT_TOKEN' | 'VENUE_ATTEST_TOKEN',
  own: string | null,
  { VENUE_OPERATOR_TOKEN: shared }: Pick<Values<'watcher'>, 'VENUE_OPERATOR_TOKEN'>,
): Credential {
  if (own !== null) return { name, secret: own };
  if (shared !== null) return { name: 'VENUE_OPERATOR_TOKEN', secret: shared };
  throw new ConfigError(`${name} is not set: it is ${VARIABLES[name].meaning}`);
}

/** The nodes of the chain, from either variable. Throws `ConfigError` unless exactly one is set. */
export function rpcUrlsOf({
  VENUE_RPC_URLS: several,
  VENUE_RPC_URL: one,
}: Pick<Values<'reserves'>, 'VENUE_RPC_URLS' | 'VENUE_RPC_URL'>): readonly string[] {
  if (several !== null && one !== null)
    throw new ConfigError('VENUE_RPC_URLS and VENUE_RPC_URL are both set: keep one of them');
  const urls = several ?? (one === null ? null : [one]);
  if (urls === null)
    throw new ConfigError('VENUE_RPC_URLS is not set: it is the addresses of two or more nodes of the chain');
  return urls;
}

/** A single server could invent a chain on which the vault holds what it does not (CUS-11). */
export function enoughServers(urls: readonly string[], isSingleEnough: boolean): readonly string[] {
  if (urls.length > 1 || isSingleEnough) return urls;
  throw new ConfigError(
    'there is a single node of the chain, whose every word would be believed: name two or more in VENUE_RPC_URLS, or ' +
      'set VENUE_RPC_SINGLE=1 to trust this one',
  );
}
