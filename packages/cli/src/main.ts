/** The `venue` command. */

import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { program } from './program.ts';
import { exitCodeOf, refusal } from './refusal.ts';

try {
  await program().parseAsync();
} catch (error) {
  // Words that are wrong have been explained by whoever reads them; help is no failure.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  process.stderr.write(`venue: ${refusal(error)}\n`);
  process.exit(exitCodeOf(error));
}
