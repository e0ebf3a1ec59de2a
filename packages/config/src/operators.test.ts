import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATORS_MAX, operatorsText, readOperators } from './operators.ts';
import { readVariables } from './read.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const C = 'c'.repeat(64);

test('OPS-2: what is written is read again, comments and empty lines aside', () => {
  const operators = [
    { name: 'ann', roles: ['operate', 'settle'], hashes: [A, B] },
    { name: 'bo-2', roles: ['read'], hashes: [C] },
  ] as const;
  assert.deepEqual(readOperators(operatorsText(operators)), operators);
  assert.deepEqual(
    readOperators(`\r\n# a comment\r\n  ann  settle,operate  ${A} ${B}\r\nbo-2 read ${C}`),
    operators,
  );
});

test('OPS-2: a line at fault is named and not shown', () => {
  for (const [text, fault] of [
    [`ann read ${A}\nann read ${B}`, /^line 2: ann has a line already$/],
    [`ann read ${A}\nbo read ${A}`, /^line 2: a secret that another line, or this one, has already$/],
    [`ann read ${A} ${A}`, /^line 1: a secret that another line, or this one, has already$/],
    [`operator read ${A}`, /^line 1: operator is the name of the shared secret$/],
    [`Ann read ${A}`, /^line 1: a name must be 1 to 32 lower-case letters/],
    [`ann root ${A}`, /^line 1: roles must be some of read,operate,settle,custody/],
    ['ann read', /^line 1: after name and roles there must be one or two SHA-256 in hex$/],
    ['ann read a-secret-in-clear', /^line 1: after name and roles there must be one or two SHA-256 in hex$/],
    [`ann read ${A} ${B} ${C}`, /^line 1: after name and roles there must be one or two SHA-256 in hex$/],
    [
      Array.from({ length: OPERATORS_MAX + 1 }, (_, i) => `a${i} read ${`${i}`.padStart(64, '0')}`).join(
        '\n',
      ),
      /^more than 32 operators$/,
    ],
  ] as const)
    assert.match(String(readOperators(text)), fault);
});

test('OPS-2: as a variable, a fault names the variable, and a text without anybody is one', () => {
  const read = (text: string) => readVariables('exchange', { VENUE_OPERATORS: text }).VENUE_OPERATORS;
  assert.equal(read(`ann read ${A}`)?.[0]?.name, 'ann');
  assert.throws(() => read('# nobody'), { message: 'VENUE_OPERATORS must name an operator' });
  assert.throws(() => read('ann read secret'), {
    message:
      'VENUE_OPERATORS must be lines of name, roles and hashes: line 1: after name and roles there must be one or two SHA-256 in hex',
  });
});
