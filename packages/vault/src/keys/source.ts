/** Where a key that signs transactions lies (CUS-17). */

import { ConfigError, type Values } from '@venue/config';
import type { Address, Hex } from '@venue/protocol';
import { privateKeyToAddress } from 'viem/accounts';

/** Whose key it is: its variables begin with it, after VENUE. */
export type KeyHolder = 'VAULT_OPERATOR' | 'GUARDIAN' | 'PAYOUT_APPROVER';

/** Exactly one of a key, an encrypted file with its password, and a server that signs. */
export type KeySource = { readonly holder: KeyHolder } & (
  | { readonly kind: 'key'; readonly key: Hex }
  | { readonly kind: 'keystore'; readonly path: string; readonly password: string }
  | { readonly kind: 'remote'; readonly url: string; readonly address: Address }
);

const ENDINGS = { key: 'KEY', keystore: 'KEYSTORE', remote: 'SIGNER' } as const;

/** The variable that names a source, for messages. */
export function sourceName({ holder, kind }: Pick<KeySource, 'holder' | 'kind'>): string {
  return `VENUE_${holder}_${ENDINGS[kind]}`;
}

/** The operator's key. Throws `ConfigError` unless exactly one source is named, with all that belongs to it. */
export function operatorKeySource(values: Values<'batcher'>): KeySource {
  return keySource('VAULT_OPERATOR', {
    key: values.VENUE_VAULT_OPERATOR_KEY,
    path: values.VENUE_VAULT_OPERATOR_KEYSTORE,
    password: values.VENUE_VAULT_OPERATOR_PASSWORD,
    url: values.VENUE_VAULT_OPERATOR_SIGNER,
    address: values.VENUE_VAULT_OPERATOR_ADDRESS,
  });
}

/** Same as `operatorKeySource`, for a guardian of the gate (CUS-15). */
export function guardianKeySource(values: Values<'vault gate'>): KeySource {
  return keySource('GUARDIAN', {
    key: values.VENUE_GUARDIAN_KEY,
    path: values.VENUE_GUARDIAN_KEYSTORE,
    password: values.VENUE_GUARDIAN_PASSWORD,
    url: values.VENUE_GUARDIAN_SIGNER,
    address: values.VENUE_GUARDIAN_ADDRESS,
  });
}

/** Same as `operatorKeySource`, for an approver of payouts (CUS-16). */
export function approverKeySource(values: Values<'operator payouts approve'>): KeySource {
  return keySource('PAYOUT_APPROVER', {
    key: values.VENUE_PAYOUT_APPROVER_KEY,
    path: values.VENUE_PAYOUT_APPROVER_KEYSTORE,
    password: values.VENUE_PAYOUT_APPROVER_PASSWORD,
    url: values.VENUE_PAYOUT_APPROVER_SIGNER,
    address: values.VENUE_PAYOUT_APPROVER_ADDRESS,
  });
}

interface Named {
  readonly key: Hex | null;
  readonly path: string | null;
  readonly password: string | null;
  readonly url: string | null;
  readonly address: Address | null;
}

function keySource(holder: KeyHolder, { key, path, password, url, address }: Named): KeySource {
  const named = [key, path, url].filter((source) => source !== null);
  if (named.length !== 1) {
    const names = (['key', 'keystore', 'remote'] as const).map((kind) => sourceName({ holder, kind }));
    throw new ConfigError(
      `${named.length === 0 ? 'no key signs' : 'more than one key is named'}: set one of ${names.join(', ')}`,
    );
  }
  if (path !== null)
    return {
      holder,
      kind: 'keystore',
      path,
      password: needed({ holder, kind: 'keystore' }, 'PASSWORD', password),
    };
  if (url !== null)
    return { holder, kind: 'remote', url, address: needed({ holder, kind: 'remote' }, 'ADDRESS', address) };
  return { holder, kind: 'key', key: checkedKey(holder, key!) };
}

function needed<T>(source: Pick<KeySource, 'holder' | 'kind'>, ending: string, value: T | null): T {
  if (value === null)
    throw new ConfigError(`VENUE_${source.holder}_${ending} is not set, and ${sourceName(source)} needs it`);
  return value;
}

/** Not every number of 64 hex digits is a private key of the curve. */
function checkedKey(holder: KeyHolder, key: Hex): Hex {
  try {
    privateKeyToAddress(key);
    return key;
  } catch {
    // Omits the library's message, which may repeat the key.
    throw new ConfigError(
      `${sourceName({ holder, kind: 'key' })} must be a private key: 0x and 64 hex digits`,
    );
  }
}
