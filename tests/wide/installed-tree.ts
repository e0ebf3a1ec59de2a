/** A tree with what `scripts/install.mjs` needs, in which it installs for real. */

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'docs/reference', 'packages'];
/** Without the pinned Node, which npm puts first: the machine's own installs. */
export const PATH = process.env
  .PATH!.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

export function copyInto(tree: string): void {
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(tree, path), {
      recursive: true,
      filter: (source) => !/node_modules|dist/.test(source.slice(ROOT.length)),
    });
  mkdirSync(join(tree, 'scripts'));
  for (const name of ['install.mjs', 'launch.sh'])
    copyFileSync(join(ROOT, 'scripts', name), join(tree, 'scripts', name));
}

export function install(tree: string, args: readonly string[], path = PATH) {
  const { status, stderr } = spawnSync('node', ['scripts/install.mjs', ...args], {
    cwd: tree,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  return { status, stderr };
}

/** The greatest size of the packages for running. */
export const MB_MAX = 330;

export function megabytes(folder: string): number {
  const size = execFileSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' });
  return Number.parseInt(size, 10);
}
