/** What a person reads when the command cannot start. */

import { ConfigError } from '@venue/exchange';
import { FeedConfigError, RecordingError } from '@venue/feed';
import { MakerConfigError } from '@venue/maker';
import { VenueError, VenueUnreachableError } from '@venue/sdk';
import { AlarmError, ChainError, VaultConfigError, VaultDeployError } from '@venue/vault';
import { OperatorError } from './operator-config.ts';

const EXPECTED = [
  AlarmError,
  ChainError,
  ConfigError,
  FeedConfigError,
  MakerConfigError,
  OperatorError,
  RecordingError,
  VaultConfigError,
  VaultDeployError,
  VenueError,
  VenueUnreachableError,
];

/** One line for a refusal that was foreseen; for anything else the whole error, as it is a fault of the program. */
export function refusal(error: unknown): string {
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
