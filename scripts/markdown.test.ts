import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellsOf, linksIn, nodesIn, textOf, treeOf, withoutLinks } from './markdown.ts';

test('the cells of a row are between bars, but a bar behind a backslash stands in one', () => {
  assert.deepEqual(cellsOf('| `a \\| b` | c||'), ['`a \\| b`', 'c', '']);
});

test('links are read with their file, and can be left out', () => {
  const line = '[One](a/one.md), [part](two.md#part) of [this page](#here)';
  assert.deepEqual(linksIn(line), [
    { words: 'One', file: 'a/one.md' },
    { words: 'part', file: 'two.md' },
    { words: 'this page', file: '' },
  ]);
  assert.equal(withoutLinks(line), 'One, part of this page');
});

test('parts come in the order of the page, with their text and their line', () => {
  const headings = nodesIn(treeOf('# The `log`\n\nText\n\n## *More* of [it](b.md)\n'), ['heading']);
  assert.deepEqual(
    headings.map((heading) => [textOf(heading), heading.position?.start.line]),
    [
      ['The log', 1],
      ['More of it', 5],
    ],
  );
});
