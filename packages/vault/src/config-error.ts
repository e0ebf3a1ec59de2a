/** A variable, a file or a chain that a daemon cannot be started with; the message is one line and says what to do. */
export class VaultConfigError extends Error {
  override name = 'VaultConfigError';
}
