import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { citationFaults, citingFiles, matrixFaults, matrixFaultsOf } from './citations.ts';
import { readTopics } from './decisions.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Built at run time, so that the checker does not see a code in this file. */
const code = (n: number) => `NUM-${n}`;
const TOPICS = [
  { path: 'money.md', text: `### ${code(1)} One\n\n### ${code(2)}, ${code(3)} Two of a kind\n` },
];

const faults = (text: string) => citationFaults(TOPICS, [{ path: 'a.ts', text }]);

test('every decision is cited, and every citation has a decision', () => {
  const files = citingFiles(ROOT);
  assert.ok(files.length > 500, 'the sources were found');
  assert.deepEqual(citationFaults(readTopics(ROOT), files), []);
});

test('a decision that nothing cites is found', () => {
  assert.deepEqual(faults(`// ${code(1)}, ${code(3)}`), [`money.md: ${code(2)} is cited nowhere`]);
});

test('a citation without a decision is found', () => {
  assert.deepEqual(faults(`// ${code(1)}..4`), [
    `a.ts: cites ${code(4)}, which docs/reference/decisions does not have`,
  ]);
});

test('ranges cite every code within, and a code of an unknown family is ignored', () => {
  assert.deepEqual(faults(`// ${code(1)} to ${code(3)} and UTF-8`), []);
  assert.deepEqual(faults(`// ${code(1)}..3 SHA-256`), []);
});

const PAGE = `| part | at worst | what stops it | way back |
|---|---|---|---|
| key | pauses[^pause] | a replacement[^pause] | none |

[^pause]: \`a.test.ts\`: \`it pauses\`, \`test_Pause\`
`;
const SOURCE = "test(\n  'it pauses', () => {});\nfunction test_Pause() public {}";
const inMatrix = (page: string, source: string | null = SOURCE) =>
  matrixFaults(page, () => source).map((fault) => fault.replace(/^.*?: /, ''));

test('the matrix of custody says only what a test shows', () => {
  assert.deepEqual(matrixFaultsOf(ROOT), []);
  assert.deepEqual(inMatrix(PAGE), []);
});

test('a test of the matrix that has another title, or no file, is found', () => {
  assert.deepEqual(inMatrix(PAGE, SOURCE.replace('it pauses', 'it pauses twice')), [
    'a.test.ts has no test "it pauses"',
  ]);
  assert.deepEqual(inMatrix(PAGE, SOURCE.replace('_Pause', '_Pauses')), [
    'a.test.ts has no test "test_Pause"',
  ]);
  assert.deepEqual(inMatrix(PAGE, null), ['there is no file a.test.ts']);
});

test('a claim of the matrix without a test, and a note without a claim, are found', () => {
  assert.deepEqual(inMatrix(PAGE.replace('replacement[^pause]', 'replacement')), [
    'no test shows of key: "a replacement"',
  ]);
  assert.deepEqual(inMatrix(PAGE.replace('pauses[^pause]', 'pauses[^pause]; reads; sees[^pause]')), [
    'no test shows of key: "reads"',
  ]);
  assert.deepEqual(inMatrix(PAGE.replace('| none |', '| a new key |')), [
    'no test shows of key: "a new key"',
  ]);
  assert.deepEqual(inMatrix(PAGE.replaceAll('s[^pause]', 's[^halt]')), ['there is no note halt']);
  assert.deepEqual(inMatrix(PAGE.replaceAll(/[st]?\[\^pause\](?!:)/g, '[^halt]')), [
    'there is no note halt',
    'note pause is used nowhere',
  ]);
});
