/** Asks for a password, or takes it from the environment; never from the command line, which others can see. */

import { CommandError } from '../base/command-error.ts';
import { walletPassword } from '../base/config.ts';
import { askSecret, canAsk } from './confirm.ts';

const NO_TERMINAL =
  'there is no terminal to ask for the password on: name a file that holds it with VENUE_WALLET_PASSWORD_FILE';

/** The password that opens the file at a path. */
export async function knownPassword(path: string): Promise<string> {
  return walletPassword() ?? (await asked(`Password of ${path} (not shown): `));
}

/** A password for a new file, which is asked for twice because it cannot be read back. */
export async function newPassword(path: string): Promise<string> {
  const given = walletPassword();
  if (given !== null) return given;
  const password = await asked(`New password of ${path} (not shown): `);
  if (password === '') throw new CommandError('a password has at least one character: nothing was written');
  if ((await asked('The same again (not shown): ')) !== password)
    throw new CommandError('the two passwords differ: nothing was written');
  return password;
}

function asked(question: string): Promise<string> {
  if (!canAsk()) throw new CommandError(NO_TERMINAL);
  return askSecret(question);
}
