/** Another commit's files in a temporary folder, ready to run. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This checkout. */
export const HERE = fileURLToPath(new URL('../..', import.meta.url));

const INSTALLED = 'node_modules';
/** The packages of this project, links beside those that are installed. */
const OWN_SCOPE = '@venue';

export interface Checkout {
  readonly root: string;
  /** Removes it, as does the end of the process. */
  readonly remove: () => void;
}

/** A commit as a worktree of git. Its packages are this checkout's where the lock files agree, or else installed. */
export function checkOut(commit: string): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'venue-gate-'));
  const root = join(folder, 'base');
  const remove = () => {
    git('worktree', 'remove', '--force', root);
    rmSync(folder, { recursive: true, force: true });
    process.off('exit', remove);
  };
  git('worktree', 'add', '--quiet', '--detach', root, commit);
  process.on('exit', remove);
  if (installedBy(root) === installedBy(HERE)) shareInstalled(root);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  return { root, remove };
}

/** The short name of a commit, with its subject. */
export function nameOf(commit: string): string {
  return git('log', '-1', '--format=%h %s', commit).trim();
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: HERE, encoding: 'utf8' });
}

/** The part of a lock file that says what is installed, rather than who needs it. */
function installedBy(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  return JSON.stringify(Object.entries(packages).filter(([path]) => path.includes(INSTALLED)));
}

/** Links every installed package, but not the links of the project's own, which have to lead to the checkout's. */
function shareInstalled(root: string): void {
  for (const name of readdirSync(join(HERE, INSTALLED))) {
    const [from, to] = [join(HERE, INSTALLED, name), join(root, INSTALLED, name)];
    if (name === OWN_SCOPE) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else link(from, to);
  }
  for (const name of readdirSync(join(HERE, 'packages'))) {
    const nested = join('packages', name, INSTALLED);
    if (existsSync(join(HERE, nested))) link(join(HERE, nested), join(root, nested));
  }
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to);
}
