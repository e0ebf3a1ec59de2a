/** Encodes commands for the log, and checks the one valid shape of each kind of entry (OWN-67). */

import { areLoggedActions, decodeQuotes, encodeQuotes, OPERATOR_NAME, upperSymbol } from '@venue/protocol';
import { CONTRACT_SIGNATURE_LENGTH_MAX } from '../state/limits.ts';
import type { Command, CommandKind, Entry, QuotesCommand } from './command.ts';
import { NewerLogError } from './feature-level.ts';
import { decodeSetPush, encodeSetPush } from './set-push-codec.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Encodes a command for the log, which stores the kind separately. JSON, except for quotes. Throws for anything
 * `decodeCommand` would refuse: once in the log, it would stop every node from starting.
 */
export function encodeCommand(command: Command): Uint8Array {
  if (command.kind === 'quotes') return encodePush(command);
  if (command.kind === 'quote-set') return encodeSetPush(command);
  const { kind, ...body } = command;
  const fault = shapeFault(SHAPES.get(kind)!, body);
  if (fault !== null) throw new Error(`a command of kind ${kind} cannot be written: ${fault}`);
  return encoder.encode(JSON.stringify(body));
}

/**
 * Decodes the command of a log entry. Throws for an unknown kind, because an older node must stop rather than misread,
 * and for a body of the wrong shape: a replay trusts nothing in the log.
 */
export function decodeCommand(kind: string, body: Uint8Array): Command {
  if (kind === 'quotes') return decodePush(body);
  if (kind === 'quote-set') return decodeSetPush(body);
  const shape = SHAPES.get(kind);
  if (shape === undefined) throw new Error(`unknown kind of log entry: ${kind}`);
  const command = JSON.parse(decoder.decode(body));
  const fault = shapeFault(shape, command);
  if (fault !== null) throw new Error(`not the body of an entry of this kind: ${fault}`);
  command.kind = kind;
  return command;
}

/**
 * Converts a log entry for the engine. Throws `NewerLogError` for an entry that this release cannot read: a release
 * writes only what it can read, and the hash of the batch reveals damage, so a newer release wrote it.
 */
export function decodeEntry({ seq, ts, kind, body }: StoredEntry): Entry {
  try {
    return { seq, ts, command: decodeCommand(kind, body) };
  } catch (error) {
    throw new NewerLogError(`entry ${seq} (${kind})`, (error as Error).message);
  }
}

interface StoredEntry {
  readonly seq: number;
  readonly ts: number;
  readonly kind: string;
  readonly body: Uint8Array;
}

const SESSION_BYTES = 8;

/** The push in the maker's binary form, preceded by the session as a little-endian double; 0 for none. */
function encodePush({ session, rows }: QuotesCommand): Uint8Array {
  const push = encodeQuotes(rows);
  const bytes = new Uint8Array(SESSION_BYTES + push.length);
  new DataView(bytes.buffer).setFloat64(0, session ?? 0, true);
  bytes.set(push, SESSION_BYTES);
  return bytes;
}

function decodePush(body: Uint8Array): QuotesCommand {
  const session = new DataView(body.buffer, body.byteOffset, body.byteLength).getFloat64(0, true);
  const rows = decodeQuotes(body.subarray(SESSION_BYTES));
  return { kind: 'quotes', session: session === 0 ? null : session, rows };
}

type Check = (value: unknown) => boolean;

interface Field {
  readonly name: string;
  readonly check: Check;
  readonly isOptional: boolean;
}

type Shape = readonly Field[];

/** A check for each field; a name that ends in `?` is optional. */
function shape(checks: Readonly<Record<string, Check>>): Shape {
  return Object.entries(checks).map(([name, check]) => ({
    name: name.replace('?', ''),
    check,
    isOptional: name.endsWith('?'),
  }));
}

/** The first fault of a value, or null if it has this shape. */
function shapeFault(shape: Shape, value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it is no object';
  const fields = value as Readonly<Record<string, unknown>>;
  let known = 0;
  for (const { name, check, isOptional } of shape) {
    const field = fields[name];
    if (field === undefined && isOptional) continue;
    if (!check(field)) return `its ${name} is ${JSON.stringify(field)}`;
    known += 1;
  }
  const names = Object.keys(fields);
  if (names.length === known) return null;
  const extra = names.find(
    (name) => fields[name] !== undefined && !shape.some((field) => field.name === name),
  );
  return extra === undefined ? null : `it has ${extra}`;
}

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HASH = /^0x[0-9a-f]{64}$/;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => Number.isFinite(value);
const isInteger: Check = (value) => Number.isSafeInteger(value);
const isPositive: Check = (value) => isInteger(value) && (value as number) > 0;
const isBoolean: Check = (value) => typeof value === 'boolean';
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isAddress = matches(ADDRESS);
const isHash = matches(HASH);
/** Its validity is checked elsewhere. */
const isSignature = isText;
/** A contract's signature, in bytes of any meaning. */
const isContractSignature: Check = (value) =>
  matches(/^0x(?:[0-9a-f]{2})*$/)(value) && (value as string).length <= CONTRACT_SIGNATURE_LENGTH_MAX;
/** A cancel may name an unknown underlying; only the spelling matters, because it is signed (ORD-9). */
const isUpper: Check = (value) => typeof value === 'string' && upperSymbol(value) === value;
const oneOf =
  (...choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const of =
  (...shapes: readonly Shape[]): Check =>
  (value) =>
    shapes.some((one) => shapeFault(one, value) === null);

const isVenueId = matches(/^[0-9a-f]{32}$/);

const isPair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isBoolean);

const WRITE = {
  account: isAddress,
  'authorization?': of(shape({ sessionKey: isAddress, nonce: isInteger, signature: isSignature })),
} as const;
const TARGETS = [shape({ seriesId: isText }), shape({ symbol: isText, expiryTs: isNumber })] as const;
/** Who did it by hand (OPS-2). */
const BY = { 'by?': matches(OPERATOR_NAME) } as const;
const SETTLE = {
  target: orNull(of(...TARGETS)),
  priceMicros: orNull(isNumber),
  secrets: isPair,
  'fault?': isText,
  ...BY,
} as const;

const LOG = { txHash: isHash, logIndex: isInteger } as const;
const REASON = { reason: isText, ...BY } as const;

/** All kinds except pushes of quotes, which are not JSON. */
const FIELDS = {
  configure: { parameters: (value) => typeof value === 'object' && value !== null, 'venue?': isVenueId },
  rekey: { venue: isVenueId },
  open: { address: isAddress },
  'sign-in': { address: isAddress, after: isInteger, signed: isBoolean },
  approve: { address: isAddress, sessionKey: isAddress, expiresAt: isInteger, signature: isSignature },
  revoke: { address: isAddress, sessionKey: isAddress, signature: isSignature },
  park: {
    act: oneOf('approve', 'revoke'),
    address: isAddress,
    sessionKey: isAddress,
    expiresAt: isInteger,
    signature: isContractSignature,
  },
  attest: {
    id: isInteger,
    verdict: oneOf('valid', 'no-contract', 'invalid', 'failed'),
    chainId: isPositive,
    blockNumber: isInteger,
    blockHash: isHash,
  },
  order: {
    ...WRITE,
    seriesId: isText,
    side: oneOf('buy', 'sell'),
    qtyMicros: isNumber,
    priceMicros: orNull(isNumber),
  },
  batch: { ...WRITE, actions: areLoggedActions },
  cancel: { ...WRITE, symbols: orNull(listOf(isUpper)) },
  'cancel-order': { ...WRITE, orderId: isInteger },
  margin: { ...WRITE, enabled: isBoolean },
  prints: { prints: listOf(of(shape({ symbol: isText, source: isText, priceMicros: isNumber }))) },
  'quote-session': { attemptId: isText },
  pull: { session: isInteger },
  maintain: { expiries: listOf(isInteger) },
  settle: SETTLE,
  'settle-propose': SETTLE,
  'settle-confirm': { id: orNull(isInteger), ...SETTLE },
  deposit: {
    address: isAddress,
    amountMicros: isInteger,
    txHash: isHash,
    logIndex: isInteger,
    blockNumber: isInteger,
    blockHash: isHash,
    'chainId?': isInteger,
    'vault?': isAddress,
  },
  due: {},
  release: { address: isAddress, ...BY },
  withdraw: { ...WRITE, amountMicros: isInteger },
  commit: { ids: listOf(isNumber), txHash: isHash },
  bind: {
    chainId: isInteger,
    vault: isAddress,
    paidBeforeMicros: isInteger,
    depositedBeforeMicros: isInteger,
    funder: orNull(isAddress),
    secrets: isPair,
    ...BY,
  },
  epoch: { epoch: isInteger, ...REASON },
  adopt: {
    payoutId: isInteger,
    address: isAddress,
    amountMicros: isPositive,
    txHash: isHash,
    ...REASON,
  },
  void: { id: isInteger, ...REASON },
  'freeze-withdrawals': { address: isAddress, frozen: isBoolean, ...REASON },
  'hold-deposit': { ...LOG, ...REASON },
  'reverse-deposit': { ...LOG, ...REASON },
  'halt-payouts': { reason: orNull(isText) },
  'payout-wait': { id: isInteger, reason: orNull(isText) },
  overstep: { by: matches(OPERATOR_NAME), route: isText },
  'approve-payout': { id: isInteger, approver: isAddress, signature: isSignature, ...BY },
} satisfies Record<Exclude<CommandKind, 'quotes' | 'quote-set'>, Readonly<Record<string, Check>>>;

const SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.entries(FIELDS).map(([kind, checks]) => [kind, shape(checks)]),
);
