/** The log failed under a running node, which must end: after a failed flush nothing unflushed can be trusted. */
export class LogFailureError extends Error {
  override readonly name = 'LogFailureError';

  /** The message is one line for the operator. */
  constructor(cause: Error) {
    super(
      `${cause.message}; check the disk, then start again: every write that was acknowledged is in the log`,
      {
        cause,
      },
    );
  }
}

/** Errors with a name of their own already say what to do. */
export function namedLogFailure(error: Error): Error {
  return error.name === 'Error' ? new LogFailureError(error) : error;
}
