/** Writes the files of a new venue: all of them or none, and over nothing. */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { NewFile } from './layout.ts';
import { SECRETS, TEMPLATES } from './places.ts';

/** Throws `CommandError` if one of the files is there, or cannot be written: then nothing is left behind. */
export function writeAll(root: string, files: readonly NewFile[]): void {
  const secrets = join(root, SECRETS);
  for (const path of [secrets, ...files.map((file) => join(root, file.path))])
    if (existsSync(path))
      throw new CommandError(
        `${path} is there already, and nothing was written: "venue init --check" looks at what is there`,
      );
  const undo: string[] = [];
  try {
    mkdirSync(dirname(secrets), { recursive: true });
    mkdirSync(secrets, { mode: 0o700 });
    undo.push(secrets);
    makeSecrets(secrets);
    for (const { path, text, isSecret } of files) {
      const place = join(root, path);
      mkdirSync(dirname(place), { recursive: true });
      undo.push(place);
      write(place, text, isSecret === true);
    }
  } catch (error) {
    // A file that came there meanwhile is somebody else's.
    const own = (error as NodeJS.ErrnoException).code === 'EEXIST' ? undo.slice(0, -1) : undo;
    for (const path of own) rmSync(path, { recursive: true, force: true });
    throw error instanceof CommandError ? error : notWritten(error);
  }
}

/** The secrets that nobody has to choose. */
function makeSecrets(folder: string): void {
  const { status, stderr, error } = spawnSync(join(TEMPLATES, 'bin/make-secrets'), [folder], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new CommandError(`the secrets could not be made: ${(error?.message ?? stderr).trim()}`);
}

/** A secret may replace one that was made up, as the address of the log does; no other file replaces any. */
function write(path: string, text: string, isSecret: boolean): void {
  const mode = isSecret ? 0o600 : 0o644;
  writeFileSync(path, text, { mode, flag: isSecret ? 'w' : 'wx' });
  // Whatever mask the shell has: services have to read the settings, and nobody else a secret.
  chmodSync(path, mode);
}

function notWritten(error: unknown): CommandError {
  const { code, path } = error as NodeJS.ErrnoException;
  return new CommandError(`${path ?? 'a file'} cannot be written (${code}); nothing was: run it as root`);
}
