/** Checks the list of flaky tests: few are open, none stands there twice, and each names a test that exists (TEST-3). */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cellsOf } from './markdown.ts';
import { hasTest } from './test-files.ts';

const LIST = 'tests/flaky.md';
const OPEN_MAX = 3;

/** One row: a test that failed among others and passed by itself. */
interface Flaky {
  readonly file: string;
  readonly title: string;
  readonly since: string;
  /** Empty while it is open. */
  readonly fixedBy: string;
}

/** Every fault of the list, one sentence each. `sourceOf` gives the text of a test file, null if there is none. */
export function findFaults(list: string, sourceOf: (file: string) => string | null): string[] {
  const rows = rowsOf(list);
  const open = rows.filter(({ fixedBy }) => fixedBy === '');
  const keys = open.map(({ file, title }) => `${file}: ${title}`);
  const twice = keys.filter((key, at) => keys.indexOf(key) < at);
  return [
    ...(open.length > OPEN_MAX ? [`${open.length} flaky tests are open; ${OPEN_MAX} may be`] : []),
    ...twice.map((key) => `stands there twice: ${key}`),
    ...rows.flatMap((row) => faultsOf(row, sourceOf)),
  ];
}

function faultsOf({ file, title, since }: Flaky, sourceOf: (file: string) => string | null): string[] {
  const source = sourceOf(file);
  // The title of a test within others is named with theirs.
  const isKnown = (text: string) => hasTest(text, title) || hasTest(text, title.split(' > ').at(-1)!);
  return [
    ...(source === null
      ? [`there is no file ${file}`]
      : isKnown(source)
        ? []
        : [`${file} has no test "${title}"`]),
    ...(/^\d{4}-\d\d-\d\d$/.test(since) ? [] : [`${file}: "${since}" is no date`]),
  ];
}

function rowsOf(list: string): Flaky[] {
  const lines = list.split('\n').filter((line) => /^\| *`/.test(line));
  return lines.map((line) => {
    const [file = '', title = '', since = '', , fixedBy = ''] = cellsOf(line);
    return { file: file.replaceAll('`', ''), title, since, fixedBy };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = findFaults(readFileSync(LIST, 'utf8'), (file) =>
    existsSync(file) ? readFileSync(file, 'utf8') : null,
  );
  for (const fault of faults) console.error(`${LIST}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
