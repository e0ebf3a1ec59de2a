import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listingFaults, llmsText, pagesIn, skillText } from './agents.ts';

const ROOT = join(fileURLToPath(import.meta.url), '../..');
const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Venue\n\nAn exchange\nfor options.\n\nMore.\n',
  'docs/README.md':
    '# Pages\n\nFor all.\n\n## Learn\n\n| page | for |\n|---|---|\n| [One](a/one.md), [two](a/two.md) | both |\n| [api.yaml](api.yaml) | [routes](a/one.md) |\n',
  'docs/a/one.md':
    '# One\n\nFor traders ([two](two.md), [part](two.md#part)). After this page you can trade.\n',
  'docs/a/two.md': '# Two\n\nFor bots.\n',
};

test('llms.txt has a title, a summary, and each page of the index with its first paragraph', () => {
  assert.equal(
    llmsText((path) => FILES[path]!),
    [
      '# Venue',
      '',
      '> An exchange for options.',
      '',
      '## Learn',
      '',
      '- [One](docs/a/one.md): For traders (two, part). After this page you can trade.',
      '- [Two](docs/a/two.md): For bots.',
      '- [api.yaml](docs/api.yaml): routes',
      '',
    ].join('\n'),
  );
});

test('a page that the index forgets or lists twice is a fault; decisions have an index of their own', () => {
  const pages = ['docs/README.md', 'docs/a/three.yaml', 'docs/reference/decisions/log.md'];
  assert.deepEqual(listingFaults(FILES['docs/README.md']!, pages), [
    'docs/README.md: it does not list docs/a/three.yaml',
    'docs/README.md: it lists docs/a/one.md twice',
  ]);
});

test('the index lists every page once, and each page is in one of the five groups', () => {
  const pages = pagesIn(ROOT);
  assert.deepEqual(listingFaults(readFileSync(join(ROOT, 'docs/README.md'), 'utf8'), pages), []);
  const groups = new Set(pages.filter((path) => path !== 'docs/README.md').map((path) => path.split('/')[1]));
  assert.deepEqual([...groups], ['explanation', 'how-to', 'reference', 'start', 'tutorials']);
});

test('skill.md leaves no mark, and its tables come from the command, the contract and the limits', () => {
  const text = skillText((path) => readFileSync(join(ROOT, path), 'utf8'));
  assert.match(text, /^---\nname: [a-z-]+\ndescription: .+\n---\n/);
  assert.doesNotMatch(text, /\{\{/);
  assert.match(text, /^\| `guard DURATION\\\|OFF` \| have all your orders leave/m);
  assert.match(text, /^\| `POST \/v1\/batch` \| /m);
  assert.match(text, /^\| `actionsPerBatch` \| 64 \| /m);
});
