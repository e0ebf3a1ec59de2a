/** The only file of the command that reads the environment. */

import { type Environment, readVariables } from '@venue/config';

/** The environment this process was started with, for the processes that read their own variables from it. */
export function environment(): Environment {
  return process.env;
}

/** The environment of the command itself. */
export interface Settings {
  /** VENUE_PROFILE: the profile to use. */
  readonly profile: string | null;
  /** VENUE_HOME, or `venue` in the folder that XDG names: where profiles are kept. */
  readonly home: string | undefined;
  /** NO_COLOR is set, or the terminal has no colours. */
  readonly isColourless: boolean;
}

/** Reads the settings. */
export function settings(env: Environment = environment()): Settings {
  const { VENUE_PROFILE, VENUE_HOME } = readVariables('profile', env);
  return {
    profile: VENUE_PROFILE,
    home: VENUE_HOME ?? folderOf(env),
    isColourless: Boolean(env.NO_COLOR) || env.TERM === 'dumb',
  };
}

/** VENUE_WALLET_PASSWORD, or null. Throws `ConfigError` for a file of it that cannot be read. */
export function walletPassword(env: Environment = environment()): string | null {
  return readVariables('wallet', env).VENUE_WALLET_PASSWORD;
}

/** VENUE_URL: address of the venue. Throws `ConfigError` for an invalid one. */
export function venueUrl(env: Environment = environment()): string {
  return readVariables('venue', env).VENUE_URL;
}

/** VENUE_READ_URL: address of the followers, or null. Throws `ConfigError` for an invalid one. */
export function venueReadUrl(env: Environment = environment()): string | null {
  return readVariables('venue', env).VENUE_READ_URL;
}

function folderOf({ XDG_CONFIG_HOME, HOME }: Environment): string | undefined {
  // XDG says that a relative folder is to be ignored.
  if (XDG_CONFIG_HOME?.startsWith('/')) return `${XDG_CONFIG_HOME}/venue`;
  return HOME ? `${HOME}/.config/venue` : undefined;
}
