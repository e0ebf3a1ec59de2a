/** A venue with its log in a real file: wallets, session keys, signed writes, snapshots, and a forger's tools. */

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  apply,
  type Command,
  createState,
  encodeCommand,
  NO_EFFECTS,
  type QuoteSetCommand,
  type State,
} from '@venue/engine';
import { BatchDigest, CHAIN_ORIGIN, chainHash, type Log, openLog } from '@venue/log';
import {
  type Address,
  type BatchAction,
  batchEnvelope,
  cancelEnvelope,
  cancelOrderEnvelope,
  type EnvelopeFields,
  type Hex,
  type MicrosQuote,
  marginEnvelope,
  orderEnvelope,
  quotesEnvelope,
  sessionApprovalMessage,
  sessionRevokeMessage,
  toMicros,
  withdrawEnvelope,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import { stampOf } from '@venue/replay';
import { loadConfig } from '../src/config.ts';
import { snapshotOf } from '../src/snapshots/snapshots.ts';
import { type Key, keyOf } from './auth-venue.ts';
import { DEPOSITS, FEED_TOKEN, MAKER_TOKEN } from './support.ts';

export const START_MS = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;
export const EXPIRY_TS = (START_MS + 5 * DAY_MS) / 1_000;
/** A call far above the spot, so that traders can be short of it. */
export const SERIES_ID = `BTC-${EXPIRY_TS}-C-100000`;
/** The id of every such venue, until it is given another. */
export const LOG_ID = '0123456789abcdef'.repeat(2);
const UNIT = 1_000_000;
const TX: Hex = `0x${'ab'.repeat(32)}`;

const folder = mkdtempSync(join(tmpdir(), 'venue-verify-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A path in a folder that is removed with the process, which tests of several files may share. */
export function newPath(name = 'file'): string {
  files += 1;
  return join(folder, `${files}-${name}`);
}

/** A wallet and the session key that it approves. */
export interface Trader {
  readonly wallet: Key;
  readonly session: Key;
  readonly address: Address;
}

export function traderOf(index: number): Trader {
  const wallet = keyOf(2 * index + 1);
  return { wallet, session: keyOf(2 * index + 2), address: wallet.address };
}

export const ALICE = traderOf(1);
export const BOB = traderOf(2);

export class SignedLog {
  /** The file, if the log is in one. */
  readonly path = newPath('venue.db');
  readonly spec: string;
  readonly mode: 'paper' | 'deposits';
  nowMs = START_MS;
  #nonce = START_MS;
  #state: State = createState();
  #log!: Log;

  constructor(mode: 'paper' | 'deposits', spec?: string) {
    this.mode = mode;
    this.spec = spec ?? `sqlite:${this.path}`;
  }

  /** A venue with a price, listings, and two traders who have approved session keys and have cash. */
  static async open(mode: 'paper' | 'deposits' = 'paper', spec?: string): Promise<SignedLog> {
    const venue = new SignedLog(mode, spec);
    await venue.start();
    const { parameters } = loadConfig({
      VENUE_SYMBOLS: 'BTC:crypto',
      VENUE_FEED_TOKEN: FEED_TOKEN,
      VENUE_MAKER_TOKEN: MAKER_TOKEN,
      ...(mode === 'deposits' && DEPOSITS),
    });
    await venue.#log.writeStamp(stampOf(parameters));
    await venue.append({ kind: 'configure', parameters, venue: LOG_ID });
    const row = (source: string) => ({ symbol: 'BTC', source, priceMicros: 100_000 * UNIT });
    await venue.append({ kind: 'prints', prints: [row('a'), row('b')] });
    await venue.append({ kind: 'maintain', expiries: [EXPIRY_TS] });
    await venue.append(venue.approval(ALICE), venue.approval(BOB));
    if (mode === 'deposits') await venue.append(venue.deposit(ALICE, 0), venue.deposit(BOB, 1));
    return venue;
  }

  get state(): State {
    return this.#state;
  }

  async start(): Promise<void> {
    this.#log = await openLog(this.spec, { now: () => this.nowMs, single: true, onWarning() {} });
  }

  async stop(): Promise<void> {
    await this.#log.close();
  }

  /** The files of a stopped log at another path, for a forger. The state is shared: neither of the two may go on. */
  copy(): SignedLog {
    const copy = new SignedLog(this.mode);
    copy.#state = this.#state;
    for (const suffix of ['', '-head']) copyFileSync(this.path + suffix, copy.path + suffix);
    return copy;
  }

  /** Appends the commands as one batch. */
  async append(...commands: Command[]): Promise<object[]> {
    this.nowMs += 10;
    const items = commands.map((command) => ({ kind: command.kind, body: encodeCommand(command) }));
    const { firstSeq, ts } = await this.#log.append(items);
    return commands.map((command, i) => apply(this.#state, { seq: firstSeq + i, ts, command }, NO_EFFECTS));
  }

  async snapshot(): Promise<void> {
    await this.#log.saveSnapshot(await snapshotOf(this.#state, this.#log));
  }

  approval({ wallet, session, address }: Trader, lifetimeMs = DAY_MS): Command {
    const expiresAt = this.nowMs + lifetimeMs;
    const text = sessionApprovalMessage({
      account: address,
      sessionKey: session.address,
      expiresAtMs: expiresAt,
    });
    const signature = signPersonal(text, wallet.privateKey);
    return { kind: 'approve', address, sessionKey: session.address, expiresAt, signature };
  }

  /** Signed over the given expiry, by the text of the revocation or of the approval. */
  revocation(
    { wallet, session, address }: Trader,
    expiresAtMs: number,
    textOf = sessionRevokeMessage,
  ): Command {
    const text = textOf({ account: address, sessionKey: session.address, expiresAtMs });
    const signature = signPersonal(text, wallet.privateKey);
    return { kind: 'revoke', address, sessionKey: session.address, signature };
  }

  order(trader: Trader, side: 'buy' | 'sell', { qty = 1, price = 100 as number | null } = {}): Command {
    const [qtyMicros, priceMicros] = [toMicros(qty * UNIT), price === null ? null : toMicros(price * UNIT)];
    const terms = { seriesId: SERIES_ID, side, qtyMicros };
    const text = (fields: EnvelopeFields) =>
      orderEnvelope({ ...fields, ...terms, priceMicros: priceMicros ?? 'market' });
    return { kind: 'order', ...this.#signed(trader, text), ...terms, priceMicros };
  }

  /** Signed for the venue's id in force, or for another. */
  batch(trader: Trader, actions: readonly BatchAction[], venue = this.#state.venue!): Command {
    const text = (fields: EnvelopeFields) => batchEnvelope({ ...fields, venue, actions });
    return { kind: 'batch', ...this.#signed(trader, text), actions };
  }

  /** A push to the first set, of a body with this hash. */
  push(trader: Trader, rows: readonly MicrosQuote[] | null, bodyHash = 'ab'.repeat(32)): QuoteSetCommand {
    const terms = { set: 1, form: 'json', bodyHash } as const;
    const venue = this.#state.venue!;
    const text = (fields: EnvelopeFields) => quotesEnvelope({ ...fields, ...terms, venue });
    return { kind: 'quote-set', ...this.#signed(trader, text), ...terms, rows };
  }

  cancel(trader: Trader, symbols: readonly string[] | null): Command {
    const text = (fields: EnvelopeFields) => cancelEnvelope({ ...fields, symbols: symbols ?? 'all' });
    return { kind: 'cancel', ...this.#signed(trader, text), symbols };
  }

  cancelOrder(trader: Trader, orderId: number): Command {
    const text = (fields: EnvelopeFields) => cancelOrderEnvelope({ ...fields, orderId });
    return { kind: 'cancel-order', ...this.#signed(trader, text), orderId };
  }

  margin(trader: Trader, enabled: boolean): Command {
    const text = (fields: EnvelopeFields) => marginEnvelope({ ...fields, enabled });
    return { kind: 'margin', ...this.#signed(trader, text), enabled };
  }

  withdrawal(trader: Trader, amount: number): Command {
    const amountMicros = toMicros(amount * UNIT);
    const text = (fields: EnvelopeFields) => withdrawEnvelope({ ...fields, amountMicros });
    return { kind: 'withdraw', ...this.#signed(trader, text), amountMicros };
  }

  deposit({ address }: Trader, logIndex: number, amount = 50_000): Command {
    const amountMicros = toMicros(amount * UNIT);
    return { kind: 'deposit', address, amountMicros, txHash: TX, logIndex, blockNumber: 7, blockHash: TX };
  }

  #signed({ session, address }: Trader, textOf: (fields: EnvelopeFields) => string) {
    this.#nonce = Math.max(this.nowMs, this.#nonce + 1);
    const nonce = this.#nonce;
    const signature = signPersonal(textOf({ account: address, nonce }), session.privateKey);
    return { account: address, authorization: { sessionKey: session.address, nonce, signature } };
  }
}

/** Sends every kind of signed write once, with some trades, and takes a snapshot in between if there is none yet. */
export async function trade(venue: SignedLog): Promise<void> {
  await venue.append(venue.margin(ALICE, true), venue.order(ALICE, 'sell', { qty: 2 }));
  await venue.append(
    venue.order(BOB, 'buy', { price: 150 }),
    venue.order(BOB, 'buy', { price: null, qty: 0.5 }),
  );
  await venue.append(venue.order(BOB, 'buy', { price: 1 }), venue.order(BOB, 'buy', { price: 2 }));
  await venue.append(venue.cancelOrder(BOB, venue.state.lastOrderId));
  await venue.append(venue.cancel(ALICE, ['BTC']), venue.cancel(BOB, null));
  if (venue.mode === 'deposits') await venue.append(venue.withdrawal(BOB, 100));
}

/** Changes the file of a closed log. */
export function tamper(path: string, sql: string, ...values: (string | number | Uint8Array)[]): void {
  const db = new DatabaseSync(path);
  try {
    const { changes } = db.prepare(sql).run(...values);
    if (changes === 0) throw new Error(`nothing changed: ${sql}`);
  } finally {
    db.close();
  }
}

/** Recomputes every hash of the chain, as a forger with the only copy would. */
export function reseal(path: string): void {
  const db = new DatabaseSync(path);
  let previousHash = CHAIN_ORIGIN.hash;
  const batches = db.prepare('SELECT first_seq, last_seq FROM batch ORDER BY first_seq').all();
  for (const { first_seq: firstSeq, last_seq: lastSeq } of batches) {
    const digest = new BatchDigest();
    const rows = db.prepare('SELECT ts, kind, body FROM log WHERE seq BETWEEN ? AND ? ORDER BY seq');
    const entries = rows.all(firstSeq!, lastSeq!);
    for (const { kind, body } of entries) {
      digest.add(String(kind), typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array));
    }
    const place = { previousHash, firstSeq: Number(firstSeq), ts: Number(entries[0]!.ts) };
    previousHash = chainHash(place, digest.finish());
    db.prepare('UPDATE batch SET hash = unhex(?) WHERE first_seq = ?').run(previousHash, firstSeq!);
  }
  db.close();
}

/** The number and body of the n-th entry of a kind. */
export function entryOf(path: string, kind: string, n = 1): { readonly seq: number; readonly body: string } {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare('SELECT seq, body FROM log WHERE kind = ? ORDER BY seq').all(kind);
  db.close();
  const { seq, body } = rows[n - 1]!;
  return { seq: Number(seq), body: String(body) };
}
