import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordFaults, wordsOf } from './word-counts.ts';

const words = (count: number) => 'word '.repeat(count);

test('counts words, and no signs that stand alone', () => {
  assert.equal(wordsOf('| `npm start` | 2 words — and |\n|---|'), 5);
});

test('refuses a long page, long docs and a long account of the next release', () => {
  const page = (path: string, count: number) => ({ path, text: words(count) });
  assert.deepEqual(
    wordFaults([page('docs/a.md', 2_500)], `## Unreleased\n${words(800)}\n## 0.1\n${words(900)}`),
    [],
  );
  const found = wordFaults([page('docs/a.md', 2_501)], `## Unreleased\n${words(801)}`);
  assert.deepEqual(found, [
    'docs/a.md has 2501 words, more than 2500: shorten it, or make two of it',
    'CHANGELOG.md has 801 words of the next release, more than 800',
  ]);
  const many = Array.from({ length: 35 }, (_, i) => page(`docs/${i}.md`, 2_500));
  assert.deepEqual(wordFaults(many, ''), ['docs have 87500 words, more than 84000']);
});
