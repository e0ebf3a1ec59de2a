/** Why a command cannot do what it was asked for. */

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

/** A wrong word on the command line: nothing was sent, and the same line will never do. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}
