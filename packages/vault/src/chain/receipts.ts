/**
 * The logs of a block, proven: the receipts that a server answers with must be all that the block's header commits to in
 * its `receiptsRoot` (CUS-12). So a server can neither invent a log in a real block nor leave one out.
 */

import { createMPT } from '@ethereumjs/mpt';
import type { Hex } from '@venue/protocol';
import { hexToBytes, toHex, toRlp } from 'viem';
import { ChainError } from './errors.ts';
import { encodedQuantity } from './header.ts';
import {
  type Block,
  type ChainLog,
  type Hash,
  hashOf,
  objectOf,
  parseBytes,
  parseCount,
  parseList,
  parseLogFields,
  parseQuantity,
} from './parse.ts';

/** A log's place and origin follow from its receipt and its block, so nothing that the server says of them counts. */
type LoggedFields = Pick<ChainLog, 'address' | 'topics' | 'data'>;

interface BlockReceipt {
  readonly txHash: Hash;
  readonly logs: readonly LoggedFields[];
  /** The receipt as the trie holds it. */
  readonly encoded: Hex;
}

/** All logs of a block, in order. Throws `ChainError` unless the receipts are exactly those of its header. */
export async function provenLogs(answer: unknown, block: Block): Promise<ChainLog[]> {
  if ((await receiptsRoot(answer)) !== block.receiptsRoot)
    throw new ChainError(`the receipts of block ${block.number} are not those that its header names`);
  const receipts = parseList(answer, 'receipts').map(parseBlockReceipt);
  const logs = receipts.flatMap(({ txHash, logs: own }) => own.map((log) => ({ ...log, txHash })));
  const { number: blockNumber, hash: blockHash } = block;
  return logs.map((log, logIndex) => ({ ...log, blockNumber, blockHash, logIndex }));
}

/** The root in the header of a block with these receipts; throws `ChainError` for a malformed one. */
export async function receiptsRoot(answer: unknown): Promise<Hex> {
  const trie = await createMPT();
  for (const [index, { encoded }] of parseList(answer, 'receipts').map(parseBlockReceipt).entries())
    await trie.put(hexToBytes(toRlp(encodedQuantity(BigInt(index)))), hexToBytes(encoded));
  return toHex(trie.root());
}

function parseBlockReceipt(value: unknown): BlockReceipt {
  const fields = objectOf(value, 'receipt');
  const logs = parseList(fields.logs, 'logs').map((log) => parseLogFields(objectOf(log, 'log')));
  const body = toRlp([
    encodedQuantity(parseQuantity(fields.status, 'status')),
    encodedQuantity(parseQuantity(fields.cumulativeGasUsed, 'cumulativeGasUsed')),
    parseBytes(fields.logsBloom, 'logsBloom'),
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
  ]);
  const type = fields.type == null ? 0 : parseCount(fields.type, 'type');
  // Before EIP-2718 receipts had no type.
  const encoded = type === 0 ? body : (`${toHex(type, { size: 1 })}${body.slice(2)}` as const);
  return { txHash: hashOf(fields, 'transactionHash'), logs, encoded };
}
