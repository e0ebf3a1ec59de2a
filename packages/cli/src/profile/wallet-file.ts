/** The wallet of a profile, in a private file: the key in clear, or an Ethereum keystore that a password opens. */

import { type Address, type Hex, parseAddress } from '@venue/protocol';
import { addressOfPrivateKey } from '@venue/protocol/signing';
import { CommandError } from '../base/command-error.ts';
import { createPrivate, readPrivate, replacePrivate } from './private-files.ts';
import { makeHome, type Profile, profileOption } from './profile.ts';

/** Asks for a password, or reads one. */
export type Password = () => Promise<string>;

export interface StoredWallet {
  readonly address: Address;
  readonly isEncrypted: boolean;
  /** The private key. Throws `CommandError` for a password that does not open the file. */
  readonly openKey: (password: Password) => Promise<Hex>;
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

/**
 * Stores a key as the profile's wallet, encrypted if there is a password, and returns its address. Throws
 * `CommandError` if there is a wallet already.
 */
export async function storeWallet(profile: Profile, privateKey: Hex, password?: Password): Promise<Address> {
  makeHome();
  // Nobody is asked for a password in vain.
  if (readPrivate(profile.walletPath) !== null) throw occupied(profile);
  const address = addressOfPrivateKey(privateKey);
  const text = password === undefined ? clearText(privateKey) : await keystoreText(privateKey, password);
  if (!createPrivate(profile.walletPath, text)) throw occupied(profile);
  return address;
}

/** Replaces the file of a wallet in clear by one that the password opens. */
export async function encryptWallet(profile: Profile, password: Password): Promise<Address> {
  const { address, isEncrypted, openKey } = loadWallet(profile);
  if (isEncrypted) throw new CommandError(`${profile.walletPath} is encrypted already`);
  const text = await keystoreText(await openKey(password), password);
  replacePrivate(profile.walletPath, text);
  return address;
}

function occupied({ name, walletPath }: Profile): CommandError {
  return new CommandError(
    `profile ${name} has a wallet already (${walletPath}); name another with --profile`,
  );
}

function clearText(privateKey: Hex): string {
  const address = addressOfPrivateKey(privateKey);
  const stored = { version: 1, address, privateKey, createdAt: new Date().toISOString() };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

async function keystoreText(privateKey: Hex, password: Password): Promise<string> {
  const { makeKeystore, openKeystore } = await keystores();
  const known = await password();
  const keystore = await makeKeystore(privateKey, known);
  // The key may be nowhere else soon, so the file is proven first.
  if ((await openKeystore(keystore, known)) !== privateKey) throw new Error('the keystore does not open');
  // Ethereum's programs name the address without 0x.
  return `${JSON.stringify({ address: addressOfPrivateKey(privateKey).slice(2), ...keystore }, null, 2)}\n`;
}

/** Loaded on demand: the commands of most wallets decrypt nothing. */
const keystores = () => import('@venue/vault/keystore');

/** The wallet of the profile. Throws `CommandError` if there is none, or its file is damaged or not private. */
export function loadWallet(profile: Profile): StoredWallet {
  const text = readPrivate(profile.walletPath);
  if (text === null)
    throw new CommandError(
      `profile ${profile.name} has no wallet: run "venue wallet new${profileOption(profile)}" or "venue wallet import"`,
    );
  const wallet = inClear(text) ?? encrypted(profile, text);
  if (wallet === null)
    throw new CommandError(
      `${profile.walletPath} is damaged: move it away and import the key from your backup`,
    );
  return wallet;
}

function inClear(text: string): StoredWallet | null {
  try {
    const { privateKey: key, address } = JSON.parse(text);
    const privateKey = parsePrivateKey(String(key));
    // A key swapped for another is detected before anything is signed with it.
    if (privateKey === null || addressOfPrivateKey(privateKey) !== address) return null;
    return { address, isEncrypted: false, openKey: async () => privateKey };
  } catch {
    return null;
  }
}

function encrypted({ walletPath }: Profile, text: string): StoredWallet | null {
  const address = keystoreAddress(text);
  if (address === null) return null;
  const openKey = async (password: Password) => {
    const { openKeystore, parseKeystore } = await keystores();
    const key = await openKeystore(parseKeystore(text)!, await password()).catch(() => null);
    if (key === null || addressOfPrivateKey(key) !== address)
      throw new CommandError(`the password does not open ${walletPath}`);
    return key;
  };
  return { address, isEncrypted: true, openKey };
}

/** The address that a keystore names, or null for any other text. */
function keystoreAddress(text: string): Address | null {
  try {
    const { version, address, crypto, Crypto } = JSON.parse(text);
    if (version !== 3 || typeof (crypto ?? Crypto) !== 'object') return null;
    return parseAddress(`0x${String(address).replace(/^0x/, '')}`) ?? null;
  } catch {
    return null;
  }
}
