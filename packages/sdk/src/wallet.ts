/** The signers: the trader's wallet, and the session key that it approves. */

import type { Address, Hex } from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import { hexOf } from './hex.ts';

/** Anything that signs texts with `personal_sign`, such as a viem local account. */
export interface Wallet {
  readonly address: string;
  signMessage(parameters: { message: string }): Promise<Hex>;
}

/**
 * A wallet from a private key held in this process: `0x` and 64 hex digits. Throws `TypeError` for anything else.
 *
 * @example walletFromPrivateKey(randomPrivateKey()).address
 */
export function walletFromPrivateKey(privateKey: Hex): Wallet {
  return {
    address: addressOfPrivateKey(privateKey),
    signMessage: async ({ message }) => signPersonal(message, privateKey),
  };
}

/**
 * A session key: it signs every write of the account that approved it until it expires. Its private key is hidden from
 * `console.log` and JSON, so that no log holds it by accident; `exportSession` gives it for keeping.
 */
export interface Session {
  /** The wallet that approved it. */
  readonly account: Address;
  readonly privateKey: Hex;
  /** Address of the session key. */
  readonly sessionKey: Address;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
  /** The wallet's signature of the approval, which gets a new token without asking the wallet again. */
  readonly approval?: Hex;
  /** True if a contract wallet approved it; the key itself then gets new tokens (CUS-19). */
  readonly byContract?: true;
  /** The venue's address, and the id of the deployment there: the key is used nowhere else (VEN-1). */
  readonly url?: string;
  readonly venue?: string;
}

/** What Node calls to show an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** The same session, with its private key hidden from whatever shows it. */
export function hiding(session: Session): Session {
  const shown = () => ({ ...session, privateKey: '[hidden]' });
  return Object.defineProperties({ ...session }, { [INSPECT]: { value: shown }, toJSON: { value: shown } });
}

/**
 * A session with its private key, to be kept: unlike the session itself it survives JSON unchanged. Keep it as you
 * would keep a key.
 *
 * @example venue.auth.useSession(JSON.parse(JSON.stringify(exportSession(session))))
 */
export function exportSession(session: Session): Session {
  return { ...session };
}

/**
 * A new random private key.
 *
 * @example randomPrivateKey().length // 66
 */
export function randomPrivateKey(): Hex {
  return hexOf(crypto.getRandomValues(new Uint8Array(32)));
}
