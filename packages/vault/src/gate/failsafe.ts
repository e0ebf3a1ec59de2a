/** The operations that the failsafe's owner has announced: sweeps, other owners, and any other call (CUS-15). */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import {
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
} from 'viem';
import { ChainError } from '../chain/errors.ts';
import { LogReader } from '../chain/log-reader.ts';
import type { ChainLog, Hash } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import type { Gate } from './gate.ts';

/** The ABI of OpenZeppelin's TimelockController, which the failsafe is. */
const TIMELOCK = parseAbi([
  'event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)',
  'function getTimestamp(bytes32 id) view returns (uint256)',
]);
const SCHEDULED = encodeEventTopics({ abi: TIMELOCK, eventName: 'CallScheduled' })[0];
/** The calls that a person should recognise. */
const KNOWN_CALLS = parseAbi([
  'function emergencySweep()',
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function updateDelay(uint256 seconds)',
]);
/** The timestamp that the failsafe gives an executed operation. */
const DONE = 1n;
/** The failsafe has few logs; servers that refuse so wide a range are asked for smaller ones. */
const CHUNK_BLOCKS = 50_000;
/** An index of logs that lagged at the start hides an operation no longer than this. */
const AGAIN_MS = 3_600_000;

export interface FailsafeCall {
  readonly target: Address;
  readonly data: Hex;
}

/** An operation that was announced, and neither executed nor cancelled. */
export interface PendingOperation {
  readonly id: Hash;
  readonly calls: readonly FailsafeCall[];
  /** In seconds since 1970. */
  readonly readyAt: number;
}

export interface FailsafeOperationsParts {
  readonly gate: Gate;
  /** The block in which the gate was deployed. */
  readonly fromBlock: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** All operations since the deployment: one may wait for years. */
export class FailsafeOperations {
  readonly #parts: FailsafeOperationsParts;
  readonly #reader: LogReader;
  /** The calls of each operation, by their index. */
  readonly #announced = new Map<Hash, Map<bigint, FailsafeCall>>();
  #nextBlock: number;
  #readAllAtMs: number | null = null;

  constructor(parts: FailsafeOperationsParts) {
    this.#parts = parts;
    this.#reader = new LogReader(parts.gate.chain, CHUNK_BLOCKS);
    this.#nextBlock = parts.fromBlock;
  }

  /** Reads on up to a block, and from the deployment each hour. */
  async advance(to: number): Promise<void> {
    const { gate, fromBlock, now = () => performance.now() } = this.#parts;
    const isDue = this.#readAllAtMs === null || now() - this.#readAllAtMs >= AGAIN_MS;
    const from = isDue ? fromBlock : this.#nextBlock;
    if (to < from) return;
    const filter = { address: await gate.failsafe(), topics: [SCHEDULED] };
    for (const log of await this.#reader.read(filter, { from, to }, 'proven')) this.#note(log);
    this.#nextBlock = to + 1;
    if (isDue) this.#readAllAtMs = now();
  }

  /** Those that wait or may be executed at a block, oldest first. */
  async pending(at: number): Promise<readonly PendingOperation[]> {
    const found = await each([...this.#announced], async ([id, calls]) => {
      const readyAt = await this.#readyAt(id, at);
      return readyAt > DONE ? [{ id, calls: [...calls.values()], readyAt: Number(readyAt) }] : [];
    });
    return found.flat();
  }

  #note(log: ChainLog): void {
    const { id, index, target, data } = scheduledIn(log);
    const calls = this.#announced.get(id as Hash) ?? new Map<bigint, FailsafeCall>();
    this.#announced.set(id as Hash, calls.set(index, { target: parseAddress(target)!, data }));
  }

  async #readyAt(id: Hash, at: number): Promise<bigint> {
    const { gate } = this.#parts;
    const call = { abi: TIMELOCK, functionName: 'getTimestamp' } as const;
    const data = await gate.chain.call(
      await gate.failsafe(),
      encodeFunctionData({ ...call, args: [id] }),
      at,
    );
    try {
      return decodeFunctionResult({ ...call, data });
    } catch {
      throw new ChainError('what the RPC answered is no time of an operation of this failsafe');
    }
  }
}

function scheduledIn({ topics, data }: ChainLog) {
  try {
    const all = [...topics] as [Hex, ...Hex[]];
    return decodeEventLog({ abi: TIMELOCK, topics: all, data, strict: true }).args;
  } catch {
    throw new ChainError('what the RPC answered is no operation of this failsafe');
  }
}

/** A call in words: a sweep is named as one only if it is the vault's. */
export function callText({ target, data }: FailsafeCall, vault: Address, failsafe: Address): string {
  const known = knownCall(data);
  if (target === vault && known === 'emergencySweep()') return 'a sweep of the vault';
  if (target === failsafe && known !== null) return `${known} of the failsafe itself`;
  return `a call of ${target}`;
}

function knownCall(data: Hex): string | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: KNOWN_CALLS, data });
    return `${functionName}(${(args ?? []).map(String).join(', ')})`;
  } catch {
    return null;
  }
}
