/** An operator's command cannot do what it was asked for; the message is one line. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
