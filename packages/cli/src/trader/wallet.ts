/** `venue wallet new|import|show|export`: the key of a profile. */

import type { Hex } from '@venue/protocol';
import { randomPrivateKey } from '@venue/sdk';
import { CommandError, usageError } from '../command-error.ts';
import { type Profile, profileOf, profileOption } from '../profile/profile.ts';
import { loadWallet, parsePrivateKey, storeWallet } from '../profile/wallet-file.ts';
import { show } from '../terminal/output.ts';
import { secretFromInput } from '../terminal/secret-input.ts';
import { pairs } from '../terminal/table.ts';
import type { CommonOptions } from './connection.ts';

/** Makes a new key. */
export async function runNewCommand(options: CommonOptions): Promise<void> {
  keep(options, profileOf(options.profile), randomPrivateKey());
}

/** Imports a key from a hidden prompt or from standard input; never from the command line, which others can see. */
export async function runImportCommand(options: CommonOptions): Promise<void> {
  const profile = profileOf(options.profile);
  const text = await secretFromInput('Private key (64 hex digits, not shown): ');
  const key = parsePrivateKey(text);
  if (key === null)
    throw new CommandError('a private key is 64 hex digits, with or without 0x; what was read is none');
  keep(options, profile, key);
}

function keep(options: CommonOptions, profile: Profile, key: Hex): void {
  const address = storeWallet(profile, key);
  const { name, walletPath } = profile;
  show(options, { profile: name, address, file: walletPath }, (page) => [
    ...pairs(
      [
        ['address', address],
        ['profile', name],
        ['file', walletPath],
      ],
      page,
    ),
    `The file holds the key in clear: keep a backup of it. Next: venue session approve${profileOption(profile)}`,
  ]);
}

/** Shows whose wallet it is, but not the key. */
export async function runShowCommand(options: CommonOptions): Promise<void> {
  const profile = profileOf(options.profile);
  const { address } = loadWallet(profile);
  show(options, { profile: profile.name, address, file: profile.walletPath }, (page) =>
    pairs(
      [
        ['address', address],
        ['profile', profile.name],
        ['file', profile.walletPath],
      ],
      page,
    ),
  );
}

/** Prints the key, after a confirmation. */
export async function runExportCommand(options: CommonOptions & { readonly yes?: true }): Promise<void> {
  const profile = profileOf(options.profile);
  const { address, privateKey } = loadWallet(profile);
  if (!options.yes)
    throw usageError(
      'this would show the private key, which is all that the account is: add --yes if nobody looks on',
    );
  show(options, { profile: profile.name, address, privateKey }, () => [privateKey]);
}
