/** The watcher's persistent state: how far it has come, on which blocks, and which deposits it credited there. */

import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { logKey } from '../chain/parse.ts';
import {
  AddressText,
  type Content,
  Count,
  HashText,
  nullable,
  type SeenBlock,
  SeenBlockSchema,
} from '../chain/schemas.ts';
import type { StateFile } from '../daemon/state-file.ts';
import { FlowsCheckpointSchema } from '../events/vault-flows.ts';

const DepositSchema = Type.Object({
  address: AddressText,
  amount: Count,
  txHash: HashText,
  logIndex: Count,
  blockNumber: Count,
  blockHash: HashText,
});
/** One deposit as reported to the exchange; the amount is in micros. */
export type Deposit = Content<typeof DepositSchema>;

const UntakenDepositSchema = Type.Object({
  txHash: HashText,
  logIndex: Count,
  blockNumber: Count,
  text: Type.String(),
});
/** A deposit that the exchange cannot take, and why, for people. */
export type UntakenDeposit = Content<typeof UntakenDepositSchema>;

/** A block's number, or -1 before the first block of a chain. */
const Height = Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER });

const WatcherStateSchema = Type.Object({
  chainId: Count,
  vault: AddressText,
  /** The first block that was read; null until the chain was asked for it. */
  anchor: nullable(SeenBlockSchema),
  /** Every deposit up to this block, inclusive, is with the exchange. */
  blockNumber: Height,
  /** Blocks read last, ascending; the last is `blockNumber`, unless nothing was read yet. */
  recent: Type.Array(SeenBlockSchema),
  /** Deposits of approximately these blocks that are with the exchange. */
  credited: Type.Array(DepositSchema),
  /** Deposits that are with the exchange and whose blocks are no longer on the chain. */
  doubtful: Type.Array(DepositSchema),
  /** Deposits that the exchange cannot take, which wait for a person. */
  untaken: Type.Array(UntakenDepositSchema),
  /** Once this block was read, a deposit that is still doubtful is lost. */
  doubtfulTo: Height,
  /** How far the vault's deposits are summed up; null before the first time. */
  flows: nullable(FlowsCheckpointSchema),
});
export type WatcherState = Content<typeof WatcherStateSchema>;

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
      'not a watcher state file',
      'restore it from a copy, or move it away: the watcher then reads the vault from its first block, and what is credited stays as it is',
    );
  if (content.chainId === chainId && content.vault === vault) return content;
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

function isState(content: unknown): content is WatcherState {
  if (!Check(WatcherStateSchema, content)) return false;
  const { recent, blockNumber } = content;
  return recent.length === 0 || recent.at(-1)!.number === blockNumber;
}
