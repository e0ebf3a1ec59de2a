/** An operator's write, sent once. */

import { mayBeCarriedOut } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { EXIT } from '../base/exit-codes.ts';
import { plain } from '../terminal/plain.ts';

/**
 * Sends it. If no answer comes, says that it may have been carried out and where to look; `look` is the command that
 * shows it. Never sends again.
 */
export async function sendForOperator<T>(
  { what, look }: { readonly what: string; readonly look: string },
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!mayBeCarriedOut(error)) throw error;
    throw new CommandError(
      `${plain(error.message)}; whether ${what} is not known, and nothing was sent again: look with "${look}"`,
      EXIT.unknown,
    );
  }
}
