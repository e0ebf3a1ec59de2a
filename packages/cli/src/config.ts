/** The only file of the command that reads the environment. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment this process was started with. */
export function environment(): Environment {
  return process.env;
}
