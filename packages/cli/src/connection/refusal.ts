/** Explains why a command failed, and chooses its exit code. */

import type { VenueCode } from '@venue/protocol';
import { CommandError } from '../base/command-error.ts';
import { EXIT, EXIT_WORDS, type ExitCode } from '../base/exit-codes.ts';
import { plain } from '../terminal/plain.ts';

/**
 * Names of foreseen errors, whose message is one line for people. By name, because the classes would load every
 * package before any command; the test checks each name against its class.
 */
export const FORESEEN: ReadonlySet<string> = new Set([
  'AbortedError',
  'AlarmError',
  'ChainError',
  'ChannelEndedError',
  'ClockOffError',
  'CommandError',
  'ConfigError',
  'ConflictError',
  'DamagedFileError',
  'DisagreementError',
  'ForbiddenError',
  'LogToolError',
  'MetricsPortError',
  'NotFoundError',
  'OutcomeUnknownError',
  'RateLimitedError',
  'RecordingError',
  'RefusedError',
  'RpcRefusal',
  'SetFrozenError',
  'StalePushError',
  'TooLargeError',
  'TracingMissingError',
  'UnauthorizedError',
  'UnavailableError',
  'UnknownSetError',
  'UnusableProofError',
  'VaultDeployError',
  'VenueChangedError',
  'VenueClientError',
  'VenueError',
  'VenueTimeoutError',
  'VenueUnreachableError',
]);

/** Remedies for answers of the venue by a command of this program, by the refusal's code (ERR-1). */
export const REMEDIES: ReadonlyMap<string, string> = new Map<VenueCode, string>([
  ['unknown-session-key', 'run "venue session approve"'],
  ['session-expired', 'run "venue session approve"'],
  ['nonce-outside-window', "set this machine's clock"],
  ['too-many-sessions', '"venue session list" and "venue session revoke" make room'],
  ['too-many-in-flight', 'wait a minute, then send it again'],
  ['unknown-symbol', '"venue series" lists them'],
  ['unknown-series', '"venue series SYMBOL" lists them'],
  ['margin-short-exposure', 'buy back the shorts and cancel the sells first'],
  ['unknown-set', '"venue protect" makes it'],
  ['set-frozen', '"venue sets" shows until when; "venue unfreeze" ends it'],
  ['stale-push', 'a newer one has come, perhaps of another program'],
  ['wrong-role', '"venue operators list" on the machine of the exchange shows who has it'],
  ['wrong-credential', "the secret in this command's environment is not the exchange's"],
]);

/** A failure as `--json` prints it. */
export interface Failure {
  readonly error: string;
  /** A word that stays when the message is reworded. */
  readonly code: string;
  readonly exit: number;
}

/** Why a command failed: one line for a foreseen refusal, the whole error for a fault of the program. */
export function failureOf(error: unknown): Failure {
  const exit = exitCodeOf(error);
  return { error: refusal(error), code: codeOf(error, exit), exit };
}

/** The text for standard error: a line for people, or an object on one line for programs. */
export function failureText(failure: Failure, asJson: boolean): string {
  return asJson ? `${JSON.stringify(failure)}\n` : `venue: ${failure.error}\n`;
}

/** One line for a foreseen refusal; the whole error for anything else, which is a fault of the program. */
export function refusal(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!FORESEEN.has(error.name)) return error.stack ?? error.message;
  const remedy = 'code' in error ? REMEDIES.get(String(error.code)) : undefined;
  return remedy === undefined ? plain(error.message) : `${plain(error.message)}: ${remedy}`;
}

function codeOf(error: unknown, exit: ExitCode): string {
  if (!(error instanceof Error) || !FORESEEN.has(error.name)) return 'internal';
  return 'code' in error && typeof error.code === 'string' ? error.code : EXIT_WORDS[exit];
}

function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return EXIT.refused;
  if (error instanceof CommandError) return error.exitCode;
  return UNREACHABLE.has(error.name) ? EXIT.unreachable : EXIT.refused;
}

const UNREACHABLE: ReadonlySet<string> = new Set(['VenueUnreachableError', 'VenueTimeoutError']);
