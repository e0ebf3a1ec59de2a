/** Why a command failed. */

import { EXIT, type ExitCode } from './exit-codes.ts';

/** The message is one line that says what to do. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An invalid command line: nothing was sent, and repeating it will not help. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}
