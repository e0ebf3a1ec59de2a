/** Other versions of Node than the pinned one, from the registry, each kept once it is there. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstLine } from '../faults/machine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL_LIMIT_MS = 120_000;

/** The path of a version's program, which `whyNoNode` puts there. */
export function nodeOf(version: string): string {
  return join(folderOf(version), 'node_modules/node/bin/node');
}

/** Why that version is unavailable here, in one line, or undefined. Installs it if it is not there yet. */
export function whyNoNode(version: string): string | undefined {
  if (!existsSync(nodeOf(version))) {
    const folder = folderOf(version);
    mkdirSync(folder, { recursive: true });
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
    const args = ['install', ...options, '--ignore-scripts=false', `node@${version}`];
    const install = { cwd: folder, encoding: 'utf8', timeout: INSTALL_LIMIT_MS } as const;
    const { status, stderr } = spawnSync('npm', args, install);
    if (status !== 0) return `Node ${version} cannot be installed (${firstLine(stderr ?? '')})`;
  }
  const { stdout } = spawnSync(nodeOf(version), ['--version'], { encoding: 'utf8' });
  return stdout?.trim() === `v${version}` ? undefined : `Node ${version} does not run here`;
}

function folderOf(version: string): string {
  return join(ROOT, 'node_modules/.cache', `node-${version}`);
}
