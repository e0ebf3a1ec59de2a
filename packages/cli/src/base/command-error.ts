/** Why a command failed. */

import { EXIT, EXIT_WORDS, type ExitCode } from './exit-codes.ts';

/** The message is one line that says what to do; the code is its word for programs. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly code: string;

  constructor(message: string, exitCode: ExitCode = EXIT.refused, code: string = EXIT_WORDS[exitCode]) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** An invalid command line: nothing was sent, and repeating it will not help. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage);
}
