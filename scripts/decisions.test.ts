import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { codesOf, indexFaults, indexFaultsOf, indexText } from './decisions.ts';

/** Built at run time, so that the checker does not see a code in this file. */
const code = (n: number) => `NUM-${n}`;
const TOPICS = [
  { path: 'docs/log.md', text: `# Decisions: the log\n\n### ${code(1)} What \`x\`, then y\n` },
  { path: 'docs/money.md', text: `# Decisions: money\n\n### ${code(2)}, ${code(3)} Two of a kind\n` },
];
const HEAD = '# Decisions\n\n<!-- the rest is written by a script -->';
const INDEX = `${HEAD}

## [The log](log.md)

- [${code(1)}](log.md#num-1-what-x-then-y) What \`x\`, then y

## [Money](money.md)

- [${code(2)}, ${code(3)}](money.md#num-2-num-3-two-of-a-kind) Two of a kind
`;

test('the index of decisions lists every record', () => {
  assert.deepEqual(indexFaultsOf(join(dirname(fileURLToPath(import.meta.url)), '..')), []);
  assert.equal(indexText(HEAD, TOPICS), INDEX);
  assert.equal(indexText(INDEX, TOPICS), INDEX);
  assert.deepEqual(indexFaults(INDEX, TOPICS), []);
});

test('an index that is stale or has lost its mark is found', () => {
  for (const index of [INDEX.replace('Two of', 'Three of'), INDEX.replace(/<!--.*-->/, ''), `${INDEX}\n`])
    assert.match(indexFaults(index, TOPICS)[0] ?? '', /^docs\/reference\/decisions\/README\.md: is stale; /);
});

test('a code that stands in two records is found', () => {
  const twice = [TOPICS[0]!, { path: 'docs/money.md', text: `### ${code(1)} One again\n` }];
  assert.deepEqual(codesOf(twice).faults, [`docs/money.md: ${code(1)} stands in docs/log.md too`]);
});
