/** Options shared by many commands, each worded once. */

import type { Command } from 'commander';

/** Adds `--url` and `--json`, for public commands. */
export function withPublicOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the venue, instead of VENUE_URL (http://127.0.0.1:8080)')
    .option('--json', 'one JSON value on standard output, and nothing else');
}

/** Adds `--read-url`, for commands that only read what a follower serves too. */
export function withReadUrl(command: Command): Command {
  return command.option(
    '--read-url <url>',
    'address of its followers, instead of VENUE_READ_URL (that of the venue)',
  );
}

/** Also adds `--profile`, for commands that need a wallet. */
export function withTraderOptions(command: Command): Command {
  return withPublicOptions(command).option(
    '--profile <name>',
    'the wallet and session to use, instead of VENUE_PROFILE (default)',
  );
}

/** Also adds `--yes`, for commands that move money. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'go ahead without asking, also where real money moves');
}

/** For every process: checks whether it could start, for units and CI. */
export const CHECK_OPTION = [
  '--check',
  'look whether it could start, and do not; ends with 1 if not',
] as const;
