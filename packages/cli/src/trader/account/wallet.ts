/** `venue wallet new|import|encrypt|show|export`: the key of a profile. */

import type { Address, Hex } from '@venue/protocol';
import { randomPrivateKey } from '@venue/sdk';
import { CommandError, usageError } from '../../base/command-error.ts';
import type { CommonOptions } from '../../connection/connection.ts';
import { type Profile, profileOf, profileOption } from '../../profile/profile.ts';
import { encryptWallet, loadWallet, parsePrivateKey, storeWallet } from '../../profile/wallet-file.ts';
import { show } from '../../terminal/output.ts';
import { knownPassword, newPassword } from '../../terminal/password.ts';
import { secretFromInput } from '../../terminal/secret-input.ts';
import { type Page, pairs } from '../../terminal/table.ts';

export interface KeepOptions extends CommonOptions {
  readonly encrypted?: true;
}

/** Makes a new key. */
export async function runNewCommand(options: KeepOptions): Promise<void> {
  await keep(options, profileOf(options.profile), randomPrivateKey());
}

/** Imports a key from a hidden prompt or from standard input; never from the command line, which others can see. */
export async function runImportCommand(options: KeepOptions): Promise<void> {
  const profile = profileOf(options.profile);
  const text = await secretFromInput('Private key (64 hex digits, not shown): ');
  const key = parsePrivateKey(text);
  if (key === null)
    throw new CommandError('a private key is 64 hex digits, with or without 0x; what was read is none');
  await keep(options, profile, key);
}

async function keep(options: KeepOptions, profile: Profile, key: Hex): Promise<void> {
  const isEncrypted = options.encrypted === true;
  const password = isEncrypted ? () => newPassword(profile.walletPath) : undefined;
  const address = await storeWallet(profile, key, password);
  const advice = isEncrypted
    ? 'Keep a backup of the file and of its password: neither is any use without the other.'
    : 'The file holds the key in clear: keep a backup of it, or run "venue wallet encrypt".';
  showKept(options, { profile, address, isEncrypted }, () => [
    `${advice} Next: venue session approve${profileOption(profile)}`,
  ]);
}

/** Replaces a key in clear by an encrypted one. */
export async function runEncryptCommand(options: CommonOptions): Promise<void> {
  const profile = profileOf(options.profile);
  const address = await encryptWallet(profile, () => newPassword(profile.walletPath));
  showKept(options, { profile, address, isEncrypted: true }, () => [
    'Keep a backup of the file and of its password. Copies of the file from before still hold the key in clear.',
  ]);
}

/** Shows whose wallet it is, but not the key. */
export async function runShowCommand(options: CommonOptions): Promise<void> {
  const profile = profileOf(options.profile);
  showKept(options, { profile, ...loadWallet(profile) }, () => []);
}

interface Kept {
  readonly profile: Profile;
  readonly address: Address;
  readonly isEncrypted: boolean;
}

function showKept(
  options: CommonOptions,
  { profile: { name, walletPath }, address, isEncrypted }: Kept,
  advice: (page: Page) => string[],
): void {
  show(options, { profile: name, address, file: walletPath, encrypted: isEncrypted }, (page) => [
    ...pairs(
      [
        ['address', address],
        ['profile', name],
        ['file', walletPath],
        ['encrypted', isEncrypted ? 'yes' : 'no'],
      ],
      page,
    ),
    ...advice(page),
  ]);
}

/** Prints the key, after a confirmation. */
export async function runExportCommand(options: CommonOptions & { readonly yes?: true }): Promise<void> {
  const profile = profileOf(options.profile);
  const { address, openKey } = loadWallet(profile);
  if (!options.yes)
    throw usageError(
      'this would show the private key, which is all that the account is: add --yes if nobody looks on',
    );
  const privateKey = await openKey(() => knownPassword(profile.walletPath));
  show(options, { profile: profile.name, address, privateKey }, () => [privateKey]);
}
