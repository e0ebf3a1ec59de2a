/** The watcher's persistent state: how far it has come, on which blocks, and which deposits it credited there. */

import type { Address } from '@venue/protocol';
import { type Hash, logKey } from '../chain/parse.ts';
import { isSeenBlock, type SeenBlock } from '../chain/seen-block.ts';
import { isAddress, isCount, isHash, isList, isObject } from '../chain/shape.ts';
import type { StateFile } from '../daemon/state-file.ts';
import { type FlowsCheckpoint, isFlowsCheckpoint } from '../events/vault-flows.ts';

/** One deposit as reported to the exchange; the amount is in micros. */
export interface Deposit {
  readonly address: Address;
  readonly amount: number;
  readonly txHash: Hash;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: Hash;
}

/** A deposit that the exchange cannot take, and why, for people. */
export interface UntakenDeposit extends Pick<Deposit, 'txHash' | 'logIndex' | 'blockNumber'> {
  readonly text: string;
}

export interface WatcherState {
  readonly chainId: number;
  readonly vault: Address;
  /** The first block that was read; null until the chain was asked for it. */
  readonly anchor: SeenBlock | null;
  /** Every deposit up to this block, inclusive, is with the exchange. */
  readonly blockNumber: number;
  /** Blocks read last, ascending; the last is `blockNumber`, unless nothing was read yet. */
  readonly recent: readonly SeenBlock[];
  /** Deposits of approximately these blocks that are with the exchange. */
  readonly credited: readonly Deposit[];
  /** Deposits that are with the exchange and whose blocks are no longer on the chain. */
  readonly doubtful: readonly Deposit[];
  /** Deposits that the exchange cannot take, which wait for a person. */
  readonly untaken: readonly UntakenDeposit[];
  /** Once this block was read, a deposit that is still doubtful is lost. */
  readonly doubtfulTo: number;
  /** How far the vault's deposits are summed up; null before the first time. */
  readonly flows: FlowsCheckpoint | null;
}

/** The vault, and its chain. */
export type Place = Pick<WatcherState, 'chainId' | 'vault'>;

/** Longest reorg that can be followed back, in blocks that were read. */
const RECENT_MAX = 256;
const CREDITED_MAX = 5_000;

export function freshState({ chainId, vault }: Place, fromBlock: number): WatcherState {
  const lists = { recent: [], credited: [], doubtful: [], untaken: [] };
  return {
    chainId,
    vault,
    anchor: null,
    blockNumber: fromBlock - 1,
    ...lists,
    doubtfulTo: fromBlock - 1,
    flows: null,
  };
}

/** The state of a file, or undefined without one; throws `ConfigError` for a damaged file or one of another vault. */
export function readState(file: StateFile, { chainId, vault }: Place): WatcherState | undefined {
  const content = file.read();
  if (content === undefined) return undefined;
  if (!isState(content))
    throw file.unusable(
      'it is no state of a watcher',
      'restore it from a copy, or move it away: the watcher then reads the vault from its first block, and what is credited stays as it is',
    );
  // Earlier releases had none of these.
  if (content.chainId === chainId && content.vault === vault)
    return {
      ...content,
      anchor: content.anchor ?? null,
      untaken: content.untaken ?? [],
      flows: content.flows ?? null,
    };
  throw file.unusable(
    `it is of vault ${content.vault} on chain ${content.chainId}, not of ${vault} on ${chainId}`,
    'name another file in VENUE_WATCHER_STATE',
  );
}

/** The state once a range of blocks was read and its deposits are with the exchange. */
export function advanced(
  state: WatcherState,
  blocks: readonly SeenBlock[],
  deposits: {
    taken: readonly Deposit[];
    untaken: readonly UntakenDeposit[];
    refound: readonly Deposit[];
    released: ReadonlySet<Deposit>;
  },
): WatcherState {
  const recent = new Map([...state.recent, ...blocks].map((block) => [block.number, block]));
  const kept = [...recent.values()].sort((a, b) => a.number - b.number).slice(-RECENT_MAX);
  const credited = [...state.credited, ...deposits.taken, ...deposits.refound];
  const untaken = new Map(
    [...state.untaken, ...deposits.untaken].map((deposit) => [logKey(deposit), deposit]),
  );
  return {
    ...state,
    blockNumber: kept.at(-1)!.number,
    recent: kept,
    credited: credited.filter((deposit) => deposit.blockNumber >= kept[0]!.number).slice(-CREDITED_MAX),
    doubtful: state.doubtful.filter((deposit) => !deposits.released.has(deposit)),
    untaken: [...untaken.values()],
  };
}

/** The state once all blocks above `ancestor` turned out to be gone from the chain. */
export function walkedBack(state: WatcherState, ancestor: number, doubtfulTo: number): WatcherState {
  return {
    ...state,
    blockNumber: ancestor,
    recent: state.recent.filter(({ number }) => number <= ancestor),
    credited: state.credited.filter(({ blockNumber }) => blockNumber <= ancestor),
    doubtful: [...state.doubtful, ...state.credited.filter(({ blockNumber }) => blockNumber > ancestor)],
    untaken: state.untaken.filter(({ blockNumber }) => blockNumber <= ancestor),
    doubtfulTo: Math.max(state.doubtfulTo, doubtfulTo),
  };
}

/** Returns whether blocks older than the oldest of `recent` were read and forgotten. */
export function isCut({ recent }: WatcherState): boolean {
  return recent.length >= RECENT_MAX;
}

function isState(value: unknown): value is WatcherState {
  if (!isObject(value)) return false;
  const { chainId, vault, anchor, blockNumber, recent, credited, doubtful, untaken, doubtfulTo, flows } =
    value;
  return (
    isCount(chainId) &&
    isAddress(vault) &&
    (anchor === undefined || anchor === null || isSeenBlock(anchor)) &&
    isHeight(blockNumber) &&
    isHeight(doubtfulTo) &&
    isList(recent, isSeenBlock) &&
    (recent.length === 0 || recent.at(-1)!.number === blockNumber) &&
    isList(credited, isDeposit) &&
    isList(doubtful, isDeposit) &&
    (untaken === undefined || isList(untaken, isUntaken)) &&
    (flows === undefined || flows === null || isFlowsCheckpoint(flows))
  );
}

function isDeposit(value: unknown): value is Deposit {
  if (!isObject(value)) return false;
  const { address, amount, txHash, logIndex, blockNumber, blockHash } = value;
  return (
    isAddress(address) && [amount, logIndex, blockNumber].every(isCount) && [txHash, blockHash].every(isHash)
  );
}

function isUntaken(value: unknown): value is UntakenDeposit {
  if (!isObject(value)) return false;
  const { txHash, logIndex, blockNumber, text } = value;
  return isHash(txHash) && isCount(logIndex) && isCount(blockNumber) && typeof text === 'string';
}

/** A block's number, or -1 before the first block of a chain. */
function isHeight(value: unknown): value is number {
  return value === -1 || isCount(value);
}
