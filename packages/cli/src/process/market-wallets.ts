/** The wallets of the makers and the crowd of `venue up`, kept beside the log so that a restart goes on with them. */

import { join } from 'node:path';
import type { Address, Hex } from '@venue/protocol';
import { addressOfPrivateKey } from '@venue/protocol/signing';
import { randomPrivateKey } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { createPrivate, readPrivate } from '../profile/private-files.ts';
import { parsePrivateKey } from '../profile/wallet-file.ts';

export interface MarketWallet {
  readonly file: string;
  readonly address: Address;
  readonly key: Hex;
}

/** The wallet of that name, made up if there is none. Throws `CommandError` for a file that is not private or no key. */
export function marketWallet(folder: string, name: string): MarketWallet {
  const file = join(folder, `${name}.key`);
  if (readPrivate(file) === null) createPrivate(file, `${randomPrivateKey()}\n`);
  const key: Hex | null = parsePrivateKey(readPrivate(file) ?? '');
  if (key === null) throw new CommandError(`${file} is damaged: move it away, and the market makes another`);
  return { file, address: addressOfPrivateKey(key), key };
}
