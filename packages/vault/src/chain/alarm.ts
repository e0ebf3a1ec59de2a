/** A situation that a machine must not decide: the daemon reports it and stops. */
export class AlarmError extends Error {
  override name = 'AlarmError';
}
