/** Quote sets: what any account may keep standing as a market maker, and the text that signs a push to one (QTS-1). */

import { accountLine, type EnvelopeFields, integerField, nonceLine, text, textField } from './envelopes.ts';

/** Sets are numbered from 1 to this (QTS-1). */
export const QUOTE_SETS_MAX = 16;
/**
 * The most levels of all sets of an account: a level on both sides of every series of an underlying, and more near the
 * money (QTS-2).
 */
export const SET_LEVELS_MAX = 4_096;
/** Bounds of a protection's window, ms (QTS-3). */
export const WINDOW_MS_MIN = 100;
export const WINDOW_MS_MAX = 600_000;
/** The longest time that a set stays frozen by itself, ms (DET-1). */
export const FROZEN_MS_MAX = 86_400_000;

/** The form of a push's body: JSON, or bytes that begin with `SQW1`. */
export type PushForm = 'json' | 'sqw1';

export interface QuotesEnvelopeFields extends EnvelopeFields {
  /** Id of the deployment (VEN-1). */
  readonly venue: string;
  readonly set: number;
  readonly form: PushForm;
  /** SHA-256 of the body's bytes as sent, lower-case hex. */
  readonly bodyHash: string;
}

/**
 * The envelope of a push to a quote set. It names the body by its hash, so that it stays short (QTS-1).
 *
 * @example quotesEnvelope({ venue, account, set: 1, form: 'json', bodyHash: bytesToHex(sha256(body)), nonce: Date.now() })
 */
export function quotesEnvelope(fields: QuotesEnvelopeFields): string {
  return text(
    'Venue quotes v1',
    `venue: ${textField('venue', fields.venue)}`,
    accountLine(fields),
    `set: ${integerField('set', fields.set)}`,
    `type: ${textField('type', fields.form)}`,
    `body: ${textField('body', fields.bodyHash)}`,
    nonceLine(fields),
  );
}
