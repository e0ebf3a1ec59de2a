/** The signers: the trader's wallet, and the session key that it approves. */

import type { Address, Hex } from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import { hexOf } from './hex.ts';

/** Anything that signs texts with `personal_sign`, such as a viem local account. */
export interface Wallet {
  readonly address: string;
  signMessage(parameters: { message: string }): Promise<Hex>;
}

/** A signer of ethers, such as its `Wallet`. */
export interface EthersSigner {
  getAddress(): Promise<string>;
  signMessage(message: string): Promise<string>;
}

/** A wallet client of viem. */
export interface ViemWalletClient {
  readonly account?: { readonly address: string } | undefined;
  getAddresses(): Promise<readonly string[]>;
  signMessage(parameters: { account: never; message: string }): Promise<Hex>;
}

/** A signer for an account: a `Wallet`, a signer of ethers, or a wallet client of viem, each as it is. */
export type AnyWallet = Wallet | EthersSigner | ViemWalletClient;

/** The wallet behind what a caller has. Throws `TypeError` if it is none, or names no account. */
export async function walletOf(given: AnyWallet): Promise<Wallet> {
  if (typeof Object(given).signMessage !== 'function') throw new TypeError(NO_WALLET);
  if ('getAddress' in given) {
    const signMessage = async ({ message }: { message: string }) => (await given.signMessage(message)) as Hex;
    return { address: await given.getAddress(), signMessage };
  }
  if ('getAddresses' in given) {
    const account = given.account ?? (await given.getAddresses())[0];
    if (account === undefined) throw new TypeError('the wallet client names no account');
    const address = typeof account === 'string' ? account : account.address;
    return {
      address,
      signMessage: ({ message }) => given.signMessage({ account: account as never, message }),
    };
  }
  if (typeof given.address !== 'string') throw new TypeError(NO_WALLET);
  return given;
}

const NO_WALLET =
  'a wallet has an address and signMessage, as an account or a wallet client of viem, or a signer of ethers';

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

/** The method that Node calls to show an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Shown in the place of a private key. */
export const HIDDEN = '[hidden]';

/** The same session, with its private key hidden from whatever shows it. */
export function hiding(session: Session): Session {
  const shown = () => ({ ...session, privateKey: HIDDEN });
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
