/** Who signs: the trader's wallet, and the session key that it approves. */

import type { Address, Hex } from '@venue/protocol';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';

/** Anything that signs texts with `personal_sign`; a viem local account is one. */
export interface Wallet {
  readonly address: string;
  signMessage(parameters: { message: string }): Promise<Hex>;
}

/** A wallet from a private key held in this process. */
export function walletFromPrivateKey(privateKey: Hex): Wallet {
  return {
    address: addressOfPrivateKey(privateKey),
    signMessage: async ({ message }) => signPersonal(message, privateKey),
  };
}

/** A session key: it signs every write of the account that approved it until it expires. */
export interface Session {
  /** The wallet that approved it. */
  readonly account: Address;
  readonly privateKey: Hex;
  /** Address of the session key. */
  readonly sessionKey: Address;
  readonly expiresAtMs: number;
}

/** A new random private key. */
export function randomPrivateKey(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${bytes.toHex()}`;
}
