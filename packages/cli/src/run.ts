/** One run of the `venue` command. */

import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { program } from './program.ts';
import { exitCodeOf, refusal } from './refusal.ts';

/**
 * Does what the words say, and explains what it could not do. Returns what the process has to end with at once; null
 * where the command is done, whose own `process.exitCode` then holds.
 *
 * @example await run(['operator', 'review']) // null
 */
export async function run(words: readonly string[]): Promise<number | null> {
  try {
    await program().parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    // Words that are wrong have been explained by whoever reads them; help is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`venue: ${refusal(error)}\n`);
    return exitCodeOf(error);
  }
}
