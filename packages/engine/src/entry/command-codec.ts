/** The bytes of a command in the log, and the one shape that each kind of entry may have (OWN-67). */

import { decodeQuotes, encodeQuotes, upperSymbol } from '@venue/protocol';
import type { Command, CommandKind, Entry, QuotesCommand } from './command.ts';
import { NewerLogError } from './feature-level.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The bytes of a command in the log; its kind stands beside them. JSON, but for quotes. Throws for what `decodeCommand`
 * would refuse: once it is in the log, no node could start any more.
 */
export function encodeCommand(command: Command): Uint8Array {
  if (command.kind === 'quotes') return encodePush(command);
  const { kind, ...body } = command;
  const fault = shapeFault(SHAPES.get(kind)!, body);
  if (fault !== null) throw new Error(`a command of kind ${kind} cannot be written: ${fault}`);
  return encoder.encode(JSON.stringify(body));
}

/**
 * The command of a log entry. Throws when the kind is not known, as an older node must stop rather than misread, and when
 * the body is not what the kind's body has to be: whoever replays a log takes nothing in it for granted.
 */
export function decodeCommand(kind: string, body: Uint8Array): Command {
  if (kind === 'quotes') return decodePush(body);
  const shape = SHAPES.get(kind);
  if (shape === undefined) throw new Error(`unknown kind of log entry: ${kind}`);
  const command = JSON.parse(decoder.decode(body));
  const fault = shapeFault(shape, command);
  if (fault !== null) throw new Error(`not the body of an entry of this kind: ${fault}`);
  command.kind = kind;
  return command;
}

/**
 * A log entry as the engine takes it. Throws `NewerLogError` for one that this release cannot read: a release writes only
 * what it reads, and damage is found by the hash of the batch, so a newer one wrote it.
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

/** The push as the maker's binary form has it, behind the session as a little-endian double; 0 for none. */
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

/** A check for each field; one that may be absent has a `?` behind its name. */
function shape(checks: Readonly<Record<string, Check>>): Shape {
  return Object.entries(checks).map(([name, check]) => ({
    name: name.replace('?', ''),
    check,
    isOptional: name.endsWith('?'),
  }));
}

/** The first thing that is wrong with a value, or null for one of this shape. */
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
const isBoolean: Check = (value) => typeof value === 'boolean';
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isAddress = matches(ADDRESS);
const isHash = matches(HASH);
/** Whether it fits is found out by whoever checks it. */
const isSignature = isText;
/** Whether there is such an underlying does not matter to a cancel; its spelling does, as it is signed (ORD-9). */
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

const isPair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isBoolean);

const WRITE = {
  account: isAddress,
  'authorization?': of(shape({ sessionKey: isAddress, nonce: isInteger, signature: isSignature })),
} as const;
const TARGETS = [shape({ seriesId: isText }), shape({ symbol: isText, expiryTs: isNumber })] as const;

/** Of all kinds but quotes, which are not JSON. */
const FIELDS = {
  configure: { parameters: (value) => typeof value === 'object' && value !== null },
  open: { address: isAddress },
  'sign-in': { address: isAddress, after: isInteger, signed: isBoolean },
  approve: { address: isAddress, sessionKey: isAddress, expiresAt: isInteger, signature: isSignature },
  revoke: { address: isAddress, sessionKey: isAddress, signature: isSignature },
  order: {
    ...WRITE,
    seriesId: isText,
    side: oneOf('buy', 'sell'),
    qtyMicros: isNumber,
    priceMicros: orNull(isNumber),
  },
  cancel: { ...WRITE, symbols: orNull(listOf(isUpper)) },
  'cancel-order': { ...WRITE, orderId: isInteger },
  margin: { ...WRITE, enabled: isBoolean },
  prints: { prints: listOf(of(shape({ symbol: isText, source: isText, priceMicros: isNumber }))) },
  'quote-session': { attemptId: isText },
  pull: { session: isInteger },
  maintain: { expiries: listOf(isInteger) },
  settle: {
    target: orNull(of(...TARGETS)),
    priceMicros: orNull(isNumber),
    secrets: isPair,
    'fault?': isText,
  },
  deposit: {
    address: isAddress,
    amountMicros: isInteger,
    txHash: isHash,
    logIndex: isInteger,
    blockNumber: isInteger,
    blockHash: isHash,
  },
  release: { address: isAddress },
  withdraw: { ...WRITE, amountMicros: isInteger },
  commit: { ids: listOf(isNumber), txHash: isHash },
} satisfies Record<Exclude<CommandKind, 'quotes'>, Readonly<Record<string, Check>>>;

const SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.entries(FIELDS).map(([kind, checks]) => [kind, shape(checks)]),
);
