/** Opens the key that signs transactions, wherever it lies (CUS-17). */

import { readFileSync } from 'node:fs';
import { ConfigError } from '@venue/config';
import { type Hex, parseAddress } from '@venue/protocol';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type Keystore, openKeystore, parseKeystore } from './keystore.ts';
import { openRemoteKey } from './remote.ts';
import { type KeySource, sourceName } from './source.ts';
import type { TransactionKey } from './transaction-key.ts';

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
    return await openKeystore(keystore, password);
  } catch {
    // Omits the library's message: nothing of the file or the password may be shown.
    throw new ConfigError(`${sourceName(source)}: VENUE_${holder}_PASSWORD does not open ${path}`);
  }
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
  const keystore = parseKeystore(text);
  if (keystore === null) throw new ConfigError(`${sourceName(source)}: ${path} is no keystore of version 3`);
  return keystore;
}
