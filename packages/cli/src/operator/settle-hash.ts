/** `venue operator settle-hash`: what the exchange has to know of a secret of settlement (CUS-10). */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SECRET_LENGTH_MIN } from '@venue/config';
import { isHeaderText } from '@venue/protocol/endpoint';
import { CommandError } from '../base/command-error.ts';
import { write } from '../terminal/output.ts';
import { secretFromInput } from '../terminal/secret-input.ts';

/**
 * Prints the SHA-256 of the secret in a file, or on standard input, without one trailing line break. A hash hides only
 * what cannot be guessed, and nothing after this command sees the secret's length: a short one is refused here.
 */
export async function runSettleHashCommand(file: string | undefined): Promise<void> {
  const text = file === undefined ? await secretFromInput('The secret (not shown): ') : textOf(file);
  const secret = text.replace(/\r?\n$/, '');
  if (secret.length < SECRET_LENGTH_MIN)
    throw new CommandError(
      `the secret must have at least ${SECRET_LENGTH_MIN} characters: openssl rand -hex 32 makes one`,
    );
  if (!isHeaderText(secret)) throw new CommandError('the secret must be ASCII without spaces');
  write(`${hash('sha256', secret)}\n`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`${file} cannot be read by this user (${code})`);
  }
}
