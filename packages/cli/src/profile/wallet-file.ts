/** The wallet of a profile, in a private file. */

import type { Address, Hex } from '@venue/protocol';
import { addressOfPrivateKey } from '@venue/protocol/signing';
import { CommandError } from '../command-error.ts';
import { createPrivate, readPrivate } from './private-files.ts';
import { makeHome, type Profile, profileOption } from './profile.ts';

export interface StoredWallet {
  readonly address: Address;
  readonly privateKey: Hex;
}

/** Returns the text if it is a private key: 32 bytes of hex that are valid on the curve. */
export function parsePrivateKey(text: string): Hex | null {
  const [, digits] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const key: Hex = `0x${digits.toLowerCase()}`;
  try {
    addressOfPrivateKey(key);
    return key;
  } catch {
    return null;
  }
}

/** Stores a key as the profile's wallet, and returns its address. Throws `CommandError` if there is one already. */
export function storeWallet(profile: Profile, privateKey: Hex): Address {
  const address = addressOfPrivateKey(privateKey);
  makeHome();
  const stored = { version: 1, address, privateKey, createdAt: new Date().toISOString() };
  if (!createPrivate(profile.walletPath, `${JSON.stringify(stored, null, 2)}\n`))
    throw new CommandError(
      `profile ${profile.name} has a wallet already (${profile.walletPath}); name another with --profile`,
    );
  return address;
}

/** The wallet of the profile. Throws `CommandError` if there is none, or its file is damaged or not private. */
export function loadWallet(profile: Profile): StoredWallet {
  const text = readPrivate(profile.walletPath);
  if (text === null)
    throw new CommandError(
      `profile ${profile.name} has no wallet: run "venue wallet new${profileOption(profile)}" or "venue wallet import"`,
    );
  const wallet = parsed(text);
  if (wallet === null)
    throw new CommandError(
      `${profile.walletPath} is damaged: move it away and import the key from your backup`,
    );
  return wallet;
}

function parsed(text: string): StoredWallet | null {
  try {
    const privateKey = parsePrivateKey(String(JSON.parse(text).privateKey));
    const address = JSON.parse(text).address;
    // A key swapped for another is detected before anything is signed with it.
    if (privateKey === null || addressOfPrivateKey(privateKey) !== address) return null;
    return { address, privateKey };
  } catch {
    return null;
  }
}
