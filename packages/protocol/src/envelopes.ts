/**
 * Every text that a wallet or a session key signs, byte for byte: lines joined by LF, no trailing newline (SIG-2). The
 * first line names kind and version, so that a signature for one kind is never valid for another.
 */

import type { Address } from './address.ts';
import { upperSymbol } from './series.ts';
import type { Micros } from './units.ts';

export type EnvelopeFault = 'lineBreak' | 'comma' | 'reservedSymbol' | 'empty' | 'notInteger';

/** A value that no envelope can contain. `fault` says why, `field` says where. */
export class EnvelopeFieldError extends RangeError {
  override name = 'EnvelopeFieldError';
  readonly field: string;
  readonly fault: EnvelopeFault;

  constructor(field: string, fault: EnvelopeFault) {
    super(`envelope field ${field}: ${fault}`);
    this.field = field;
    this.fault = fault;
  }
}

/** True if a text contains a newline or a carriage return, which would let one field pose as several lines. */
export function hasLineBreak(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

/** The text a wallet signs to sign in. `nonce` is the service's hex nonce. */
export function challengeMessage(fields: { address: Address; nonce: string }): string {
  return text(
    'Venue: sign in to prove you own this address.',
    '',
    `Address: ${addressField('address', fields.address)}`,
    `Nonce: ${textField('nonce', fields.nonce)}`,
  );
}

export interface SessionTerms {
  /** The approving wallet, not the session key. */
  readonly account: Address;
  readonly sessionKey: Address;
  readonly expiresAtMs: number;
}

/** The text a wallet signs to let a session key trade for it. */
export function sessionApprovalMessage(terms: SessionTerms): string {
  return text(
    'Venue: approve a trading session.',
    '',
    'This lets this device place orders on your behalf until it expires.',
    'It cannot withdraw funds, move positions, or approve another session.',
    '',
    ...sessionLines(terms),
  );
}

/** The text a wallet signs to revoke a session key; the expiry is that of the approval in force (KEY-3). */
export function sessionRevokeMessage(terms: SessionTerms): string {
  return text('Venue: revoke a trading session.', '', ...sessionLines(terms));
}

/** Fields common to all envelopes signed by a session key. */
export interface EnvelopeFields {
  /** The approving wallet, not the session key. */
  readonly account: Address;
  /** Milliseconds since the epoch. */
  readonly nonce: number;
}

export interface OrderEnvelopeFields extends EnvelopeFields {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  readonly qtyMicros: Micros;
  /** A price of 0 is a limit price; its text differs from `market` (ORD-5). */
  readonly priceMicros: Micros | 'market';
}

/**
 * The order envelope.
 *
 * @example orderEnvelope({ account, seriesId: 'AAPL-1764374400-C-190', side: 'buy', qtyMicros: toMicros(1_500_000), priceMicros: 'market', nonce: Date.now() })
 */
export function orderEnvelope(fields: OrderEnvelopeFields): string {
  const { priceMicros } = fields;
  return text(
    'Venue order v1',
    accountLine(fields),
    `series: ${textField('series', fields.seriesId)}`,
    `side: ${textField('side', fields.side)}`,
    `qty: ${integerField('qty', fields.qtyMicros)}`,
    `price: ${priceMicros === 'market' ? 'market' : integerField('price', priceMicros)}`,
    nonceLine(fields),
  );
}

/** The envelope that cancels every resting order of the given symbols (any case, any order), or of `all`. */
export function cancelEnvelope(
  fields: EnvelopeFields & { readonly symbols: readonly string[] | 'all' },
): string {
  return text(
    'Venue cancel v1',
    accountLine(fields),
    `symbols: ${symbolsField(fields.symbols)}`,
    nonceLine(fields),
  );
}

/** The envelope that cancels one resting order (ORD-12). */
export function cancelOrderEnvelope(fields: EnvelopeFields & { readonly orderId: number }): string {
  return text(
    'Venue cancel order v1',
    accountLine(fields),
    `order: ${integerField('order', fields.orderId)}`,
    nonceLine(fields),
  );
}

/** The envelope that turns margin on or off. */
export function marginEnvelope(fields: EnvelopeFields & { readonly enabled: boolean }): string {
  return text(
    'Venue margin v1',
    accountLine(fields),
    `enabled: ${fields.enabled ? 'true' : 'false'}`,
    nonceLine(fields),
  );
}

/** The envelope that requests a payout (SIG-3). It names no destination: payouts always go to the account's own wallet. */
export function withdrawEnvelope(fields: EnvelopeFields & { readonly amountMicros: Micros }): string {
  return text(
    'Venue withdraw v1',
    accountLine(fields),
    `amount: ${integerField('amount', fields.amountMicros)}`,
    nonceLine(fields),
  );
}

export interface PayoutApprovalTerms {
  readonly chainId: number;
  readonly vault: Address;
  /** The payout's number in the vault. */
  readonly payoutId: number;
  readonly account: Address;
  readonly amountMicros: Micros;
}

/** The text an approver signs to let a payout through that is above the batcher's limits (CUS-16). */
export function payoutApprovalMessage(terms: PayoutApprovalTerms): string {
  return text(
    'Venue payout approval v1',
    `chain: ${integerField('chain', terms.chainId)}`,
    `vault: ${addressField('vault', terms.vault)}`,
    `payout: ${integerField('payout', terms.payoutId)}`,
    accountLine(terms),
    `amount: ${integerField('amount', terms.amountMicros)}`,
  );
}

export function text(...lines: string[]): string {
  return lines.join('\n');
}

function sessionLines(terms: SessionTerms): string[] {
  return [
    `Account: ${addressField('account', terms.account)}`,
    `Session key: ${addressField('sessionKey', terms.sessionKey)}`,
    `Expires: ${integerField('expiresAt', terms.expiresAtMs)}`,
  ];
}

export function accountLine(fields: Pick<EnvelopeFields, 'account'>): string {
  return `account: ${addressField('account', fields.account)}`;
}

export function nonceLine(fields: EnvelopeFields): string {
  return `nonce: ${integerField('nonce', fields.nonce)}`;
}

// Checks and lowercases the address although its type promises both: signed bytes must not depend on a cast.
function addressField(field: string, address: Address): string {
  return textField(field, address).toLowerCase();
}

export function textField(field: string, value: string): string {
  if (hasLineBreak(value)) throw new EnvelopeFieldError(field, 'lineBreak');
  return value;
}

export function integerField(field: string, value: number): string {
  if (!Number.isSafeInteger(value)) throw new EnvelopeFieldError(field, 'notInteger');
  return String(value);
}

// An empty list would read as no restriction at all, so it is refused (ORD-9).
function symbolsField(symbols: readonly string[] | 'all'): string {
  if (symbols === 'all') return 'all';
  if (symbols.length === 0) throw new EnvelopeFieldError('symbols', 'empty');
  return symbols.map(symbolField).sort().join(',');
}

function symbolField(symbol: string): string {
  const upper = upperSymbol(textField('symbols', symbol));
  if (upper === '') throw new EnvelopeFieldError('symbols', 'empty');
  if (upper.includes(',')) throw new EnvelopeFieldError('symbols', 'comma');
  if (upper === 'ALL') throw new EnvelopeFieldError('symbols', 'reservedSymbol');
  return upper;
}
