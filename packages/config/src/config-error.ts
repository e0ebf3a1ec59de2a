/** A variable, or a file that one names, cannot be used. The message is one line that names it and holds no secret. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
