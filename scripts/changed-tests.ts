/** The tests that a change concerns: those that changed, and those that import what changed. */

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specifiersOf, targetOf } from './imports.ts';

const SOURCES = ['packages/*/{,src/**/,sim/**/,test/**/}*.{ts,tsx}', '{scripts,tests,bench}/**/*.ts'];

/**
 * Those of these tests that import, build or start, by any way, a file that differs from the one where this branch left
 * main, or one that is not committed; the nearest first. On main itself only what is not committed counts.
 */
export function testsOfChanges(tests: readonly string[]): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main');
  const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  const concerned = importersOf(changed, importsOf(globSync(SOURCES)));
  return [...concerned.intersection(new Set(tests))];
}

/** The files themselves, and all that import them directly or through others, in the order of how many. */
export function importersOf(
  files: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  const reached = new Set(files);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}

const PAGES = ['main.tsx', 'admin.tsx', 'install/service-worker.ts'].map(
  (name) => `packages/web/src/${name}`,
);
/** Files that a module makes or starts rather than imports: the pages that are built, and the command that tests run. */
const MADE_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['packages/web/build.ts', PAGES],
  ['tests/e2e/launched.ts', ['packages/cli/src/main.ts']],
  ['tests/e2e/cli-command.ts', ['packages/cli/src/main.ts']],
]);

/** The imports of each source within this project, as paths from its root. */
function importsOf(paths: readonly string[]): Map<string, string[]> {
  const pathOf = (path: string, specifier: string) =>
    specifier.startsWith('.')
      ? targetOf(path, specifier)
      : relative('.', fileURLToPath(import.meta.resolve(specifier)));
  return new Map(
    paths.map((path) => {
      const specifiers = specifiersOf({ path, text: readFileSync(path, 'utf8') });
      const imported = specifiers
        .filter((name) => /^(?:\.|@venue\/)/.test(name))
        .map((specifier) => pathOf(path, specifier));
      return [path, [...imported, ...(MADE_OF.get(path) ?? [])]];
    }),
  );
}
