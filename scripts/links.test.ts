import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anchorsOf, linkFaults, linkFaultsOf } from './links.ts';

const OTHER = '# The `log`, and more\n\n## Twice\n\n## Twice\n';
const faultsOf = (text: string) => {
  const pages = new Map([
    ['docs/a.md', text],
    ['docs/other/b.md', OTHER],
  ]);
  return linkFaults({ path: 'docs/a.md', text }, (path) =>
    pages.has(path) ? anchorsOf(pages.get(path)!) : null,
  );
};

test('every link of a page leads somewhere', () => {
  assert.deepEqual(linkFaultsOf(join(dirname(fileURLToPath(import.meta.url)), '..')), []);
});

test('links to files, headings and other sites pass', () => {
  const links = [
    'other/b.md',
    'other/b.md#the-log-and-more',
    'other/b.md#twice-1',
    '#here',
    'https://a.b/c#d',
  ];
  assert.deepEqual(faultsOf(`# Here\n\n${links.map((link) => `[x](${link})`).join(' ')}\n`), []);
  assert.deepEqual(faultsOf('```\n[x](none.md)\n```\n'), []);
});

test('a link to no file or no heading is found with its line', () => {
  assert.deepEqual(faultsOf('# A\n\n[x](b.md)\n![y](c.png) [z](other/b.md#twice-2)\n\n[w](#b)\n'), [
    'docs/a.md:3: there is no file b.md',
    'docs/a.md:4: there is no file c.png',
    'docs/a.md:4: no heading of other/b.md is #twice-2',
    'docs/a.md:6: no heading of this page is #b',
  ]);
});
