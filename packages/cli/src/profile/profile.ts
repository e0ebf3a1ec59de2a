/** A profile: one wallet and its session keys, in a folder of their own. */

import { join } from 'node:path';
import { CommandError, usageError } from '../base/command-error.ts';
import { type Settings, settings } from '../base/config.ts';
import { privateFolder } from './private-files.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
export const DEFAULT_PROFILE = 'default';

export interface Profile {
  readonly name: string;
  readonly walletPath: string;
  readonly sessionsPath: string;
}

/**
 * The profile named on the command line or in the environment, or `default`. Creates nothing on disk. Throws
 * `CommandError` for an invalid name.
 */
export function profileOf(name: string | undefined, from: Settings = settings()): Profile {
  const chosen = name ?? from.profile ?? DEFAULT_PROFILE;
  if (!NAME.test(chosen))
    throw usageError(`a profile is named by letters, digits, _ and -, at most 32 of them; not "${chosen}"`);
  if (from.home === undefined)
    throw new CommandError('there is no folder for profiles: set VENUE_HOME, or HOME');
  const folder = join(from.home, chosen);
  const file = (leaf: string) => join(folder, leaf);
  return {
    name: chosen,
    walletPath: file('wallet.json'),
    sessionsPath: file('sessions.json'),
  };
}

/** Creates the folder around all profiles, which is as private as each of them. */
export function makeHome({ home }: Settings = settings()): void {
  if (home !== undefined) privateFolder(home);
}

/** The option that selects the profile, for a hint; empty for the default profile. */
export function profileOption({ name }: Profile): string {
  return name === DEFAULT_PROFILE ? '' : ` --profile ${name}`;
}
