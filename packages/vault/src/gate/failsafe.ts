/** The operations that the failsafe's owner has announced: sweeps, other owners, and any other call (CUS-15). */

import type { Address, Hex } from '@venue/protocol';
import { decodeEventLog, decodeFunctionResult, encodeEventTopics, encodeFunctionData, parseAbi } from 'viem';
import { ChainError } from '../chain/errors.ts';
import { LogReader } from '../chain/log-reader.ts';
import type { Block, Hash } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import type { Gate } from './gate.ts';

/** Of OpenZeppelin's TimelockController, which the failsafe is. */
const TIMELOCK = parseAbi([
  'event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)',
  'function getTimestamp(bytes32 id) view returns (uint256)',
]);
/** What the failsafe says of an operation that was executed. */
const DONE = 1n;
const CHUNK_BLOCKS = 2_000;

/** An operation that was announced, and neither executed nor cancelled. Times in seconds since 1970. */
export interface PendingOperation {
  readonly id: Hash;
  readonly target: Address;
  readonly data: Hex;
  readonly readyAt: number;
}

/** Oldest first. Reads the failsafe's logs from the gate's deployment on: an operation may wait for years. */
export async function pendingOperations(
  gate: Gate,
  head: Block,
  fromBlock: number,
): Promise<readonly PendingOperation[]> {
  const address = await gate.failsafe();
  const topics = encodeEventTopics({ abi: TIMELOCK, eventName: 'CallScheduled' });
  const filter = { address, topics: [topics[0]] };
  const logs = await new LogReader(gate.chain, CHUNK_BLOCKS).read(filter, {
    from: fromBlock,
    to: head.number,
  });
  const announced = new Map(
    logs.map((log) => {
      const [first, ...rest] = log.topics;
      const { args } = decodeEventLog({
        abi: TIMELOCK,
        topics: [first!, ...rest],
        data: log.data,
        strict: true,
      });
      return [args.id as Hash, { target: args.target.toLowerCase() as Address, data: args.data }];
    }),
  );
  const found = await each([...announced], async ([id, call]) => {
    const at = await readyAt(gate, { address, id }, head.number);
    return at > DONE ? [{ id, ...call, readyAt: Number(at) }] : [];
  });
  return found.flat();
}

async function readyAt(
  { chain }: Gate,
  { address, id }: { readonly address: Address; readonly id: Hash },
  at: number,
): Promise<bigint> {
  const call = { abi: TIMELOCK, functionName: 'getTimestamp' } as const;
  const data = await chain.call(address, encodeFunctionData({ ...call, args: [id] }), at);
  try {
    return decodeFunctionResult({ ...call, data });
  } catch {
    throw new ChainError('what the RPC answered is no time of an operation of this failsafe');
  }
}
