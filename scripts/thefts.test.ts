import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Shown, theftFaults, theftFaultsOf } from './thefts.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = `| part | at worst | what stops it | way back |
|---|---|---|---|
| key | pauses | [a replacement](x.md); another | none |
`;
const SHOWN: Shown = {
  key: {
    pauses: { 'a.test.ts': ['it pauses', 'test_Pause'] },
    'a replacement': { 'a.test.ts': ['it pauses'] },
    another: { 'a.test.ts': ['test_Pause'] },
  },
};
const SOURCE = "test(\n  'it pauses', () => {});\nfunction test_Pause() public {}";
const faultsOf = (page: string, { shown = SHOWN, source = SOURCE as string | null } = {}) =>
  theftFaults(page, shown, () => source);

test('the tables of thefts say only what a test shows', () => {
  assert.deepEqual(theftFaultsOf(ROOT), []);
  assert.deepEqual(faultsOf(PAGE), []);
});

test('a test that has another title, or no file, is found', () => {
  for (const [source, fault] of [
    [SOURCE.replace('it pauses', 'it pauses twice'), 'a.test.ts has no test "it pauses"'],
    [SOURCE.replace('_Pause', '_Pauses'), 'a.test.ts has no test "test_Pause"'],
    [null, 'there is no file a.test.ts'],
  ] as const)
    assert.deepEqual(faultsOf(PAGE, { source }), [`scripts/thefts.json: ${fault}`]);
});

test('a claim without a test, and tests without a claim, are found', () => {
  assert.deepEqual(faultsOf(PAGE.replace('; another', '; another; a third')), [
    'docs/explanation/thefts.md: no test shows of key: "a third"',
  ]);
  assert.deepEqual(faultsOf(PAGE.replace('| none |', '| a new key |')), [
    'docs/explanation/thefts.md: no test shows of key: "a new key"',
  ]);
  assert.deepEqual(faultsOf(PAGE.replace('; another', '')), [
    'scripts/thefts.json: the page does not say of key: "another"',
  ]);
  assert.deepEqual(faultsOf(PAGE, { shown: { key: { ...SHOWN.key, another: {} } } }), [
    'scripts/thefts.json: a claim of key has no test',
  ]);
});
