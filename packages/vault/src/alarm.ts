/** Something that a machine must not decide: the daemon says what it saw and stops. */
export class AlarmError extends Error {
  override name = 'AlarmError';
}
