/**
 * Writes the files of a new venue: all of them or none, and over nothing. A run that was killed leaves drafts beside their
 * places, by which the next one knows what to remove; the secrets, without which no process starts, come last and at once.
 */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../base/command-error.ts';
import { exclusively } from '../profile/exclusive.ts';
import { EDGE, type NewFile, SECRETS, SETTINGS, TEMPLATES, UNITS, USERS_FILE } from './places.ts';

const DRAFT = '.venue-init';
const LOCK = 'venue-init.lock';
const FOLDERS = [SETTINGS, UNITS, dirname(USERS_FILE), EDGE];

/** Throws `CommandError` if one of the files is there, or cannot be written: then nothing is left behind. */
export function writeAll(root: string, files: readonly NewFile[]): void {
  const folder = join(root, dirname(SETTINGS));
  const busy = () =>
    new CommandError(`another "venue init" is writing below ${folder}, and nothing was written: wait for it`);
  try {
    mkdirSync(folder, { recursive: true });
    exclusively(join(folder, LOCK), { waitMs: 0, busy }, () => writeAlone(root, files));
  } catch (error) {
    throw error instanceof CommandError ? error : notWritten(error);
  }
}

function writeAlone(root: string, files: readonly NewFile[]): void {
  const secrets = join(root, SECRETS);
  const isOwn = ({ path }: NewFile) => path.startsWith(`${SECRETS}/`);
  const placed = files.filter((file) => !isOwn(file)).map((file) => ({ file, place: join(root, file.path) }));
  const places = placed.map(({ place }) => place);
  removeDrafts(root, { isFinished: isThere(secrets) });
  for (const path of [secrets, ...places])
    if (isThere(path))
      throw new CommandError(
        `${path} is there already, and nothing was written: "venue init --check" looks at what is there`,
      );
  const drafted = `${secrets}${DRAFT}`;
  const undo: string[] = [];
  try {
    mkdirSync(dirname(secrets), { recursive: true });
    undo.push(drafted);
    mkdirSync(drafted, { mode: 0o700 });
    makeSecrets(drafted);
    for (const { path, text } of files.filter(isOwn)) writeSecret(drafted + path.slice(SECRETS.length), text);
    for (const { file, place } of placed) publish(place, file.text, undo);
    renameSync(drafted, secrets);
  } catch (error) {
    for (const path of undo) rmSync(path, { recursive: true, force: true });
    throw error;
  }
  for (const place of places) rmSync(place + DRAFT, { force: true });
}

/** Removes what a run that was killed has left: its drafts, and unless it got to its end what it made of them. */
function removeDrafts(root: string, { isFinished }: { readonly isFinished: boolean }): void {
  for (const folder of FOLDERS.map((path) => join(root, path)))
    for (const name of globSync(`{*,*/*}${DRAFT}`, { cwd: folder })) {
      const draft = join(folder, name);
      const place = draft.slice(0, -DRAFT.length);
      const isOfDraft = statSync(place, { throwIfNoEntry: false })?.ino === statSync(draft).ino;
      if (isOfDraft && !isFinished) rmSync(place);
      rmSync(draft, { recursive: true });
    }
}

/** A file has its name only once it is whole; the draft shows until the end whose it is. */
function publish(place: string, text: string, undo: string[]): void {
  mkdirSync(dirname(place), { recursive: true });
  undo.push(place + DRAFT);
  // Whatever mask the shell has, services have to read it.
  writeFileSync(place + DRAFT, text, { flag: 'wx', flush: true });
  chmodSync(place + DRAFT, 0o644);
  linkSync(place + DRAFT, place);
  undo.push(place);
}

/** May replace a secret that was made up, as the address of the log does. */
function writeSecret(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600, flush: true });
  chmodSync(path, 0o600);
}

/** The secrets that nobody has to choose. */
function makeSecrets(folder: string): void {
  const { status, stderr, error } = spawnSync(join(TEMPLATES, 'bin/make-secrets'), [folder], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new CommandError(`the secrets could not be made: ${(error?.message ?? stderr).trim()}`);
}

/** A name that leads nowhere is taken, too; below what is no folder nothing is, and writing says why. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function notWritten(error: unknown): CommandError {
  const { code, path } = error as NodeJS.ErrnoException;
  return new CommandError(`${path ?? 'a file'} cannot be written (${code}); nothing was: run it as root`);
}
