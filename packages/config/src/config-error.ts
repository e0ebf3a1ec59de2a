/** A variable, or a file named by one, cannot be used. The message is one line that names it and contains no secret. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
