/** The environment that systemd gives a process: its unit with every drop-in, and its file of settings. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from '@venue/config';
import { SECRETS, SETTINGS, UNITS } from './places.ts';

/** Null if the unit is not installed. Files that variables name are those below `root`. */
export function unitEnvironment(root: string, name: string): Environment | null {
  const unit = join(root, UNITS, `venue-${name}.service`);
  if (!existsSync(unit)) return null;
  const text = [unit, ...globSync(`${unit}.d/*.conf`).sort()]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const words = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(' '));
  const ofUnit = Object.fromEntries(words.map((word) => word.replace('%d', SECRETS).split(/=(.*)/s, 2)));
  const both: Record<string, string> = { ...ofUnit, ...settingsOf(root, name) };
  return Object.fromEntries(
    Object.entries(both).map(([variable, value]) => [
      variable,
      value.startsWith(`${SETTINGS}/`) ? join(root, value) : value,
    ]),
  );
}

/** `/etc/venue/<name>.env`, which may be missing; it prevails over the unit. */
export function settingsOf(root: string, name: string): NodeJS.Dict<string> {
  const path = join(root, SETTINGS, `${name}.env`);
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}
