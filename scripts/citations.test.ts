import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { citationFaults, citingFiles } from './citations.ts';
import { lengthFaults, RECORD_WORDS_MAX, readTopics } from './decisions.ts';

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

test('no record of a decision is too long', () => {
  assert.deepEqual(lengthFaults(readTopics(ROOT)), []);
});

test('a record with a word too many is found, and signs that stand alone are no words', () => {
  const record = (n: number, words: number) =>
    `### ${code(n)} One of them\n\n- **Context.**${' a'.repeat(words - 1)} - >\n`;
  const text = [record(1, RECORD_WORDS_MAX), record(2, RECORD_WORDS_MAX + 1), record(3, 1)].join('\n');
  assert.deepEqual(lengthFaults([{ path: 'money.md', text }]), [
    `money.md: ${code(2)} has 151 words, more than 150`,
  ]);
});
