/** What a person reads when the command cannot start. */

/**
 * Names of the errors that were foreseen, whose message is one line for a person. By name, as the classes would load
 * every package before any command; the test holds each name to its class.
 */
export const FORESEEN: ReadonlySet<string> = new Set([
  'AlarmError',
  'ChainError',
  'ConfigError',
  'FeedConfigError',
  'LogToolError',
  'MakerConfigError',
  'OperatorError',
  'RecordingError',
  'RpcRefusal',
  'VaultConfigError',
  'VaultDeployError',
  'VenueError',
  'VenueUnreachableError',
]);

/** One line for a refusal that was foreseen; for anything else the whole error, as it is a fault of the program. */
export function refusal(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return FORESEEN.has(error.name) ? error.message : (error.stack ?? error.message);
}
