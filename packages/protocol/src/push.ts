/** Shared by terminal and push process: the kinds of news, the signed text, and the form of a message (PUSH-1). */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Address, Hex } from './address.ts';
import { accountLine, type EnvelopeFields, nonceLine, text, textField } from './envelopes.ts';

/** The kinds of news, in the order in which the terminal offers them. */
export const NEWS_KINDS = ['fills', 'margin', 'liquidation', 'settlement', 'guard'] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];

/** The most devices of one account (PUSH-3). */
export const PUSH_DEVICES_MAX = 10;
/** The longest name of a device. */
export const DEVICE_NAME_MAX = 60;

/** A browser's push subscription: the endpoint of its push service, and the keys that encrypt its messages (RFC 8291). */
export interface PushSubscriptionTerms {
  /** Anybody who knows it may send this browser a message, which it can read only if it was encrypted with its keys. */
  readonly endpoint: string;
  /** Base64url. */
  readonly p256dh: string;
  /** Base64url. */
  readonly auth: string;
}

export type PushAct =
  | {
      readonly act: 'on';
      readonly subscription: PushSubscriptionTerms;
      readonly kinds: readonly NewsKind[];
      readonly name: string;
    }
  | { readonly act: 'off'; readonly device: string }
  | { readonly act: 'list' };

export interface PushEnvelopeFields extends EnvelopeFields {
  /** Id of the deployment (VEN-1). */
  readonly venue: string;
  readonly act: PushAct;
}

/**
 * The envelope that turns a device on or off, or lists those of the account. It names a subscription by its hash, which
 * is short and reveals no endpoint. Throws `EnvelopeFieldError` for a name with a line break.
 *
 * @example pushEnvelope({ venue, account, act: { act: 'off', device: deviceId(endpoint) }, nonce: Date.now() })
 */
export function pushEnvelope({ act, ...fields }: PushEnvelopeFields): string {
  return text(
    'Venue push v1',
    `venue: ${textField('venue', fields.venue)}`,
    accountLine(fields),
    `act: ${act.act}`,
    ...linesOf(act),
    nonceLine(fields),
  );
}

function linesOf(act: PushAct): string[] {
  switch (act.act) {
    case 'on':
      return [
        `device: ${deviceId(act.subscription.endpoint)}`,
        `name: ${textField('name', act.name)}`,
        `kinds: ${act.kinds.join(', ')}`,
        `subscription: ${subscriptionHash(act.subscription)}`,
      ];
    case 'off':
      return [`device: ${textField('device', act.device)}`];
    case 'list':
      return [];
  }
}

/** The id of a device: 32 hex digits of its endpoint's hash, from which nobody finds the endpoint. */
export function deviceId(endpoint: string): string {
  return bytesToHex(sha256(utf8ToBytes(endpoint))).slice(0, 32);
}

function subscriptionHash({ endpoint, p256dh, auth }: PushSubscriptionTerms): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([endpoint, p256dh, auth]))));
}

/** A request to the push process: an act with who signed it. */
export type PushRequest = PushAct & {
  readonly account: Address;
  readonly sessionKey: Address;
  readonly nonce: number;
  readonly signature: Hex;
};

/** A device as its account sees it; never with the endpoint. */
export interface PushDevice {
  readonly id: string;
  readonly name: string;
  readonly kinds: readonly NewsKind[];
  /** Unix ms of the last time it was turned on or renewed. */
  readonly since: number;
}

/** The answer to every act. */
export interface PushDevices {
  readonly devices: readonly PushDevice[];
}

/** The public facts about a push process. */
export interface PushTerms {
  /** The VAPID public key (RFC 8292), base64url. */
  readonly publicKey: string;
  readonly venue: string;
}

/** The message that a device's worker decrypts. Nothing in it is secret, and none of it is an instruction (PUSH-7). */
export interface PushMessage {
  readonly v: 1;
  readonly kind: NewsKind;
  readonly title: string;
  readonly body: string;
  /** Unix ms of the log. */
  readonly at: number;
  /** A message replaces the one that has the same. */
  readonly tag: string;
  /** The view to open: what the fragment of the terminal's address names, or empty. */
  readonly place: string;
}
