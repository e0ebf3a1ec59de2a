/** Parses the answers of a chain's server once, so that they can be trusted afterwards. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { ChainError } from './errors.ts';

declare const hash: unique symbol;
/** `0x` and 64 lower-case hex digits: the hash of a block or of a transaction. */
export type Hash = Hex & { readonly [hash]: true };

export interface Block {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly logsBloom: Hex;
  /** The root that the block's receipts are proven against. */
  readonly receiptsRoot: Hash;
  /** Null on a chain without EIP-1559. */
  readonly baseFeeWei: bigint | null;
  readonly gasLimit: bigint;
  /** The chain's clock, in seconds since 1970. */
  readonly timestampSeconds: number;
}

export interface ChainLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  readonly txHash: Hash;
  readonly logIndex: number;
}

/** Where a log stands on the chain. */
export type LogPlace = Pick<ChainLog, 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash'>;

/** Names one log of the chain. */
export function logKey({ txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${txHash}:${logIndex}`;
}

/** The order of logs on the chain. */
export function byPlace(a: LogPlace, b: LogPlace): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

export interface Receipt {
  readonly txHash: Hash;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  readonly succeeded: boolean;
}

const HASH = /^0x[0-9a-fA-F]{64}$/;
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const BYTES = /^0x([0-9a-fA-F]{2})*$/;
const BLOOM_LENGTH = 2 + 512;

export function parseHash(value: unknown): Hash | undefined {
  return typeof value === 'string' && HASH.test(value) ? (value.toLowerCase() as Hash) : undefined;
}

/** Each `parse…` throws a `ChainError` that names the invalid field. */
export function parseBlock(value: unknown): Block {
  const fields = objectOf(value, 'block');
  const logsBloom = bytesOf(fields, 'logsBloom');
  if (logsBloom.length !== BLOOM_LENGTH) throw malformed('logsBloom');
  return {
    number: numberOf(fields, 'number'),
    hash: hashOf(fields, 'hash'),
    parentHash: hashOf(fields, 'parentHash'),
    logsBloom,
    receiptsRoot: hashOf(fields, 'receiptsRoot'),
    gasLimit: parseQuantity(fields.gasLimit, 'gasLimit'),
    timestampSeconds: numberOf(fields, 'timestamp'),
    baseFeeWei: fields.baseFeePerGas == null ? null : parseQuantity(fields.baseFeePerGas, 'baseFeePerGas'),
  };
}

export function parseLog(value: unknown): ChainLog {
  const fields = objectOf(value, 'log');
  if (fields.removed === true) throw new ChainError('a log of a block that was removed');
  return {
    ...parseLogFields(fields),
    blockNumber: numberOf(fields, 'blockNumber'),
    blockHash: hashOf(fields, 'blockHash'),
    txHash: hashOf(fields, 'transactionHash'),
    logIndex: numberOf(fields, 'logIndex'),
  };
}

/** A contract's log, without its place on the chain. */
export function parseLogFields(fields: Fields): Pick<ChainLog, 'address' | 'topics' | 'data'> {
  const address = typeof fields.address === 'string' ? parseAddress(fields.address) : undefined;
  if (address === undefined) throw malformed('address');
  if (!Array.isArray(fields.topics)) throw malformed('topics');
  const topics = fields.topics.map((topic) => {
    const parsed = parseHash(topic);
    if (parsed === undefined) throw malformed('topics');
    return parsed;
  });
  return { address, topics, data: bytesOf(fields, 'data') };
}

export function parseReceipt(value: unknown): Receipt {
  const fields = objectOf(value, 'receipt');
  if (fields.status !== '0x1' && fields.status !== '0x0') throw malformed('status');
  return {
    txHash: hashOf(fields, 'transactionHash'),
    blockNumber: numberOf(fields, 'blockNumber'),
    blockHash: hashOf(fields, 'blockHash'),
    succeeded: fields.status === '0x1',
  };
}

export function parseQuantity(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw malformed(name);
  return BigInt(value);
}

/** A counted quantity, such as a block's number, which a number holds exactly. */
export function parseCount(value: unknown, name: string): number {
  const count = parseQuantity(value, name);
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) throw malformed(name);
  return Number(count);
}

export function parseBytes(value: unknown, name: string): Hex {
  if (typeof value !== 'string' || !BYTES.test(value)) throw malformed(name);
  return value as Hex;
}

export function parseList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name);
  return value;
}

type Fields = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null) throw malformed(name);
  return value as Fields;
}

function numberOf(fields: Fields, name: string): number {
  return parseCount(fields[name], name);
}

function bytesOf(fields: Fields, name: string): Hex {
  return parseBytes(fields[name], name);
}

export function hashOf(fields: Fields, name: string): Hash {
  const parsed = parseHash(fields[name]);
  if (parsed === undefined) throw malformed(name);
  return parsed;
}

function malformed(name: string): ChainError {
  return new ChainError(`the RPC's answer has no usable ${name}`);
}
