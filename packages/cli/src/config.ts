/** The only file of the command that reads the environment. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment this process was started with, for the processes that read their own variables from it. */
export function environment(): Environment {
  return process.env;
}

/** What the command itself takes from its environment; an empty variable counts as absent. */
export interface Settings {
  /** VENUE_URL: address of the venue. */
  readonly url: string | undefined;
  /** VENUE_PROFILE: the profile to use. */
  readonly profile: string | undefined;
  /** VENUE_HOME, or `venue` in the folder that XDG names: where profiles are kept. */
  readonly home: string | undefined;
  /** NO_COLOR, or a terminal that knows no colours. */
  readonly isColourless: boolean;
}

/** Reads the settings. */
export function settings(env: Environment = environment()): Settings {
  return {
    url: env.VENUE_URL || undefined,
    profile: env.VENUE_PROFILE || undefined,
    home: env.VENUE_HOME || folderOf(env),
    isColourless: Boolean(env.NO_COLOR) || env.TERM === 'dumb',
  };
}

function folderOf({ XDG_CONFIG_HOME, HOME }: Environment): string | undefined {
  // A relative folder is to be ignored, as XDG says.
  if (XDG_CONFIG_HOME?.startsWith('/')) return `${XDG_CONFIG_HOME}/venue`;
  return HOME ? `${HOME}/.config/venue` : undefined;
}
