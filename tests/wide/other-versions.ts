/** Other versions of Node and of TypeScript than the pinned ones, from the registry, each kept once it is there. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstLine } from '../faults/machine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL_LIMIT_MS = 120_000;

/** The path of a version's program, which `whyNoNode` puts there. */
export function nodeOf(version: string): string {
  return join(folderOf('node', version), 'node_modules/node/bin/node');
}

/** Why that version is unavailable here, in one line, or undefined. Installs it if it is not there yet. */
export function whyNoNode(version: string): string | undefined {
  const missing = whyMissing('node', version, nodeOf(version));
  if (missing !== undefined) return missing;
  const { stdout } = spawnSync(nodeOf(version), ['--version'], { encoding: 'utf8' });
  return stdout?.trim() === `v${version}` ? undefined : `Node ${version} does not run here`;
}

/** The compiler of a version of TypeScript, which `whyNoTypeScript` puts there. */
export function typeScriptOf(version: string): string {
  return join(folderOf('typescript', version), 'node_modules/typescript/bin/tsc');
}

/** Same as `whyNoNode`. */
export function whyNoTypeScript(version: string): string | undefined {
  return whyMissing('typescript', version, typeScriptOf(version));
}

function whyMissing(name: string, version: string, file: string): string | undefined {
  if (existsSync(file)) return undefined;
  const folder = folderOf(name, version);
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', ...options, '--ignore-scripts=false', `${name}@${version}`];
  const install = { cwd: folder, encoding: 'utf8', timeout: INSTALL_LIMIT_MS } as const;
  const { status, stderr } = spawnSync('npm', args, install);
  return status === 0 ? undefined : `${name} ${version} cannot be installed (${firstLine(stderr ?? '')})`;
}

function folderOf(name: string, version: string): string {
  return join(ROOT, 'node_modules/.cache', `${name}-${version}`);
}
