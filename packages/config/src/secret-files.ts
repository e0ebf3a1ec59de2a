/** Secrets in files: `NAME_FILE` names the file that contains the value of `NAME` (CFG-2). */

import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';

const SIZE_MAX = 64 * 1_024;
const READABLE_BY_ALL = 0o004;
/** Where containers mount secrets; only the container's user can read them, whatever the file mode. */
const CONTAINER_FOLDER = '/run/secrets/';

/**
 * A secret from its variable, or from its file without one trailing line break. Throws `ConfigError` if both are set,
 * and for a file that cannot be used.
 */
export function secretText(name: string, env: Environment): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return env[name];
  if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: keep one of them`);
  const text = readSecret(`${name}_FILE`, path).replace(/\r?\n$/, '');
  if (text === '') throw new ConfigError(`${name}_FILE: ${path} is empty`);
  return text;
}

/** The name of a secret's file in a folder of secrets: `operator-token` for `VENUE_OPERATOR_TOKEN`. */
export function secretFileName(name: string): string {
  return name.replace('VENUE_', '').toLowerCase().replaceAll('_', '-');
}

function readSecret(variable: string, path: string): string {
  try {
    if (statSync(path).size > SIZE_MAX)
      throw new ConfigError(`${variable}: ${path} is no secret but a large file`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${variable}: ${path} cannot be read by this user (${code})`);
  }
}

/** A warning for a world-readable file, or null. */
export function exposure(name: string, env: Environment): string | null {
  const path = env[`${name}_FILE`];
  if (!path || path.startsWith(CONTAINER_FOLDER)) return null;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & READABLE_BY_ALL) === 0
    ? null
    : `${name}_FILE: everybody on this machine may read ${path}; chmod 600 it`;
}
