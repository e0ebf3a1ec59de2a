/** One run of the `venue` command. */

import { CommanderError } from 'commander';
import { EXIT } from './base/exit-codes.ts';
import { failureOf, failureText } from './connection/refusal.ts';
import { program } from './program.ts';

/**
 * Runs a command line, and explains failures. Returns the exit code with which the process must end now; null if the
 * command is done, when its own `process.exitCode` applies.
 *
 * @example await run(['operator', 'review']) // null
 */
export async function run(words: readonly string[]): Promise<number | null> {
  const asJson = words.includes('--json');
  try {
    await program(asJson).parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    // The parser has already explained invalid words; help is not a failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const failure = failureOf(error);
    process.stderr.write(failureText(failure, asJson));
    return failure.exit;
  }
}
