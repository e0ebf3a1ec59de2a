/** Private keys in Ethereum's keystore of version 3, the file that geth and most wallets read and write. */

import { pbkdf2, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Hex } from '@venue/protocol';
import { decrypt, encrypt } from 'ox/Keystore';

export type Keystore = Parameters<typeof decrypt>[0];

const KEYSTORE_BYTES_MAX = 64 * 1_024;
/** Twice what the field's strongest setting takes. */
const MEMORY_MAX = 512 * 1_024 * 1_024;
/** The setting of geth: 256 MB and about a second for each password tried. */
const STANDARD = { n: 262_144, r: 8, p: 1, dklen: 32 };
const scryptOf = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The keystore in a file's text, or null if it is none of version 3. */
export function parseKeystore(text: string): Keystore | null {
  const content = text.length > KEYSTORE_BYTES_MAX ? null : parsed(text);
  // Some programs write the name of the field with a capital.
  const { crypto, Crypto, version } = (content ?? {}) as Record<string, unknown>;
  if (version !== 3 || (crypto ?? Crypto) === undefined) return null;
  return { crypto: crypto ?? Crypto, version } as Keystore;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The private key in a keystore. Throws for a wrong password and a damaged file, with a message not for people. */
export async function openKeystore(keystore: Keystore, password: string): Promise<Hex> {
  return decrypt(keystore, hexOf(await derived(keystore.crypto.kdfparams, password)));
}

/** A keystore that the password opens. */
export async function makeKeystore(privateKey: Hex, password: string): Promise<Keystore> {
  const kdfparams = { ...STANDARD, salt: randomBytes(32).toString('hex') };
  const key = hexOf(await derived(kdfparams, password));
  return encrypt(privateKey, key, { kdf: 'scrypt', kdfparams, iv: randomBytes(16) });
}

/** The key that opens the file, derived as the file says; the library's own derivation ignores two of its parameters. */
function derived(
  kdfparams: Keystore['crypto']['kdfparams'],
  password: string,
): Promise<Uint8Array<ArrayBufferLike>> {
  const salt = Buffer.from(kdfparams.salt, 'hex');
  if ('c' in kdfparams) return promisify(pbkdf2)(password, salt, kdfparams.c, kdfparams.dklen, 'sha256');
  const { n: N, r, p } = kdfparams;
  return scryptOf(password, salt, kdfparams.dklen, { N, r, p, maxmem: MEMORY_MAX });
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
