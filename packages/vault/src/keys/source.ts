/** Where the key that signs commitments lies (CUS-17). */

import { ConfigError, type Values } from '@venue/config';
import type { Address, Hex } from '@venue/protocol';
import { privateKeyToAddress } from 'viem/accounts';

/** Exactly one of a key, an encrypted file with its password, and a server that signs. */
export type KeySource =
  | { readonly kind: 'key'; readonly key: Hex }
  | { readonly kind: 'keystore'; readonly path: string; readonly password: string }
  | { readonly kind: 'remote'; readonly url: string; readonly address: Address };

/** The variable that names each source, for messages. */
export const SOURCE_NAMES = {
  key: 'VENUE_VAULT_OPERATOR_KEY',
  keystore: 'VENUE_VAULT_OPERATOR_KEYSTORE',
  remote: 'VENUE_VAULT_OPERATOR_SIGNER',
} as const satisfies Record<KeySource['kind'], string>;

/** Throws `ConfigError` unless exactly one source is named, with all that belongs to it. */
export function keySource(values: Values<'batcher'>): KeySource {
  const {
    VENUE_VAULT_OPERATOR_KEY: key,
    VENUE_VAULT_OPERATOR_KEYSTORE: path,
    VENUE_VAULT_OPERATOR_SIGNER: url,
  } = values;
  const named = [key, path, url].filter((source) => source !== null);
  if (named.length !== 1)
    throw new ConfigError(
      `${named.length === 0 ? 'no key signs' : 'more than one key is named'}: set one of ${Object.values(SOURCE_NAMES).join(', ')}`,
    );
  if (path !== null)
    return {
      kind: 'keystore',
      path,
      password: needed('VENUE_VAULT_OPERATOR_PASSWORD', values, SOURCE_NAMES.keystore),
    };
  if (url !== null)
    return {
      kind: 'remote',
      url,
      address: needed('VENUE_VAULT_OPERATOR_ADDRESS', values, SOURCE_NAMES.remote),
    };
  return { kind: 'key', key: checkedKey(key!) };
}

function needed<N extends 'VENUE_VAULT_OPERATOR_PASSWORD' | 'VENUE_VAULT_OPERATOR_ADDRESS'>(
  name: N,
  values: Values<'batcher'>,
  source: string,
): NonNullable<Values<'batcher'>[N]> {
  const value = values[name];
  if (value === null) throw new ConfigError(`${name} is not set, and ${source} needs it`);
  return value as NonNullable<Values<'batcher'>[N]>;
}

/** Not every number of 64 hex digits is a private key of the curve. */
function checkedKey(key: Hex): Hex {
  try {
    privateKeyToAddress(key);
    return key;
  } catch {
    // Omits the library's message, which may repeat the key.
    throw new ConfigError(`${SOURCE_NAMES.key} must be a private key: 0x and 64 hex digits`);
  }
}
