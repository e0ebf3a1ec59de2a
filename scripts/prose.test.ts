/** The prose rules find their targets and leave other text alone. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { proseFaults } from './prose.ts';

const OPENING = 'For traders. After this page you can buy an option.';

for (const [fault, sentence, place] of [
  ['a repeated word', 'The log has the the entry.', 5],
  ['a wrong article', 'It is a entry.', 5],
  ['a headless sentence', 'Whoever holds the log proves it.', 5],
  ['a phrase with a plainer form', 'The file is made anew.', 5],
] as const)
  test(`finds ${fault}`, async () => {
    const faults = await proseFaults('docs/x.md', `# X\n\n${OPENING}\n\n${sentence}\n`);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.ok(faults[0]!.startsWith(`docs/x.md:${place}: `));
  });

test('leaves plain prose, code and questions alone', async () => {
  const page = `# X\n\n${OPENING}\n\nThe log has an entry. \`the the\` is code.\n\n    a entry made anew\n\nWho signed?\n`;
  assert.deepEqual(await proseFaults('docs/x.md', page), []);
});

test("a page's first lines state its readers and what they can do after it", async () => {
  const faults = await proseFaults('docs/x.md', '# X\n\nThis is about the log.\n');
  assert.equal(faults.length, 1);
  assert.match(faults[0]!, /for whom/);
  assert.deepEqual(await proseFaults('README.md', '# X\n\nAn exchange.\n'), []);
});

/** They have an index of their own, which scripts/citations.ts checks. */
const TOPIC = /^reference\/decisions\/(?!README)/;

test('the index lists every page once, and each page is in one of the four groups', () => {
  const docs = new URL('../docs/', import.meta.url);
  const index = readFileSync(new URL('README.md', docs), 'utf8');
  const listed = [...index.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!);
  const pages = globSync(['**/*.md', '**/*.yaml'], { cwd: docs }).filter(
    (path) => path !== 'README.md' && !TOPIC.test(path),
  );
  assert.deepEqual(listed.toSorted(), pages.toSorted());
  const groups = new Set(pages.map((path) => path.split('/')[0]!));
  assert.deepEqual([...groups].sort(), ['explanation', 'how-to', 'reference', 'tutorials']);
});
