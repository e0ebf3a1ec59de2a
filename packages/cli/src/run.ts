/** One run of the `venue` command. */

import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { program } from './program.ts';
import { exitCodeOf, refusal } from './refusal.ts';

/**
 * Runs a command line, and explains failures. Returns the exit code with which the process must end now; null if the
 * command is done, when its own `process.exitCode` applies.
 *
 * @example await run(['operator', 'review']) // null
 */
export async function run(words: readonly string[]): Promise<number | null> {
  try {
    await program().parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    // The parser has already explained invalid words; help is not a failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`venue: ${refusal(error)}\n`);
    return exitCodeOf(error);
  }
}
