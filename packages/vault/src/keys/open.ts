/** Opens the key that signs transactions, wherever it lies (CUS-17). */

import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ConfigError } from '@venue/config';
import { type Hex, parseAddress } from '@venue/protocol';
import { decrypt } from 'ox/Keystore';
import { toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { openRemoteKey } from './remote.ts';
import { type KeySource, sourceName } from './source.ts';
import type { TransactionKey } from './transaction-key.ts';

type Keystore = Parameters<typeof decrypt>[0];

const KEYSTORE_BYTES_MAX = 64 * 1_024;
/** Twice what the field's strongest setting takes. */
const MEMORY_MAX = 512 * 1_024 * 1_024;
const scryptOf = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Throws `ConfigError` for a keystore that cannot be read or opened; a remote signer is not asked yet. */
export async function openKey(source: KeySource, signal?: AbortSignal): Promise<TransactionKey> {
  if (source.kind === 'remote') return openRemoteKey(source, signal);
  return localKey(privateKeyToAccount(source.kind === 'key' ? source.key : await decryptedKey(source)));
}

function localKey(account: PrivateKeyAccount): TransactionKey {
  return {
    address: parseAddress(account.address)!,
    sign: (transaction) => account.signTransaction({ type: 'eip1559', ...transaction }),
    signText: (message) => account.signMessage({ message }),
  };
}

type KeystoreSource = KeySource & { readonly kind: 'keystore' };

async function decryptedKey(source: KeystoreSource): Promise<Hex> {
  const { holder, path, password } = source;
  const keystore = readKeystore(source);
  try {
    return decrypt(keystore, toHex(await derived(keystore, password)));
  } catch {
    // Omits the library's message: nothing of the file or the password may be shown.
    throw new ConfigError(`${sourceName(source)}: VENUE_${holder}_PASSWORD does not open ${path}`);
  }
}

/** The key that opens the file, derived as the file says; the library's own derivation ignores two of its parameters. */
function derived({ crypto: { kdfparams } }: Keystore, password: string): Promise<Uint8Array> {
  const salt = Buffer.from(kdfparams.salt, 'hex');
  if ('c' in kdfparams) return promisify(pbkdf2)(password, salt, kdfparams.c, kdfparams.dklen, 'sha256');
  const { n: N, r, p } = kdfparams;
  return scryptOf(password, salt, kdfparams.dklen, { N, r, p, maxmem: MEMORY_MAX });
}

function readKeystore(source: KeystoreSource): Keystore {
  const { path } = source;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${sourceName(source)}: ${path} cannot be read by this user (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const content = text.length > KEYSTORE_BYTES_MAX ? null : parsed(text);
  // Some programs write the name of the field with a capital.
  const { crypto, Crypto, version } = (content ?? {}) as Record<string, unknown>;
  if (version !== 3 || (crypto ?? Crypto) === undefined)
    throw new ConfigError(`${sourceName(source)}: ${path} is no keystore of version 3`);
  return { crypto: crypto ?? Crypto, version } as Keystore;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
