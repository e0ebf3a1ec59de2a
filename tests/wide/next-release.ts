/** The next release: this one with one more feature level, to which a kind of entry moves that this one has already. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FEATURE_LEVELS } from '@venue/engine';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TABLE = 'packages/engine/src/state/feature-levels.ts';
const THIS_RELEASE = 'FEATURE_LEVELS: readonly FeatureLevel[] = [{}];';

export const NEXT_LEVEL = FEATURE_LEVELS.length + 1;
/** One line that says what to do, of a process of this release that cannot read on. */
export const REFUSAL = new RegExp(
  `^(venue|exchange|follower): .*was written by a newer release; upgrade this node \\(feature level ${NEXT_LEVEL}, and this release reads up to ${FEATURE_LEVELS.length}\\)$`,
  'm',
);

/** Its folder, with the dependencies of this one, to be removed by the caller. Entries of `kind` need its level. */
export function nextRelease(kind: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'venue-release-'));
  for (const name of ['package.json', 'packages'])
    cpSync(join(ROOT, name), join(folder, name), { filter: isSource, recursive: true });
  const table = join(folder, TABLE);
  const text = readFileSync(table, 'utf8');
  if (!text.includes(THIS_RELEASE)) throw new Error(`${TABLE} has another table`);
  writeFileSync(table, text.replace('[{}];', `[{}, { kinds: ['${kind}'] }];`));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@venue'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@venue') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(modules, '@venue', name));
  return folder;
}

function isSource(path: string): boolean {
  return !path.includes('/node_modules') && !path.endsWith('.test.ts');
}
