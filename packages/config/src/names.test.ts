import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkVariables } from './check.ts';
import { refuseUnknownNames, unknownWarnings } from './names.ts';

test('CFG-3: an unknown name is reported with the nearest known one', () => {
  const env = {
    VENUE_PROT: '1',
    VENUE_CONFIRMATONS: '64',
    VENUE_SETTLE_TOKEN_3: 's3cret',
    VENUE_ELSEWHERE_AT_ALL: 'x',
  };
  assert.deepEqual(unknownWarnings(env), [
    'VENUE_CONFIRMATONS is unknown; did you mean VENUE_CONFIRMATIONS?',
    'VENUE_ELSEWHERE_AT_ALL is unknown',
    'VENUE_PROT is unknown; did you mean VENUE_PORT?',
    'VENUE_SETTLE_TOKEN_3 is unknown; did you mean VENUE_SETTLE_TOKEN_1?',
  ]);
  assert.throws(() => refuseUnknownNames({ VENUE_PROT: '' }), {
    name: 'ConfigError',
    message: 'VENUE_PROT is unknown; did you mean VENUE_PORT?',
  });
});

test('CFG-3: names of other processes, secret files and other programs are not typing errors', () => {
  const env = {
    VENUE_BATCH_MAX: '5',
    VENUE_OPERATOR_TOKEN_FILE: '/x',
    VENUE_TEST_REQUIRE: 'all',
    PATH: '/bin',
    MY_VENUE_X: '',
  };
  assert.deepEqual(unknownWarnings(env), []);
});

test('a check lists every fault at once, or says how many variables are set', () => {
  const wrong = checkVariables('exchange', { VENUE_PORT: 'abc', VENUE_HOUSE_LINE: '-1', VENUE_PROT: '1' });
  assert.deepEqual(
    wrong.map(({ ok, text }) => `${ok} ${text.split(' ')[0]}`),
    ['false VENUE_PORT', 'false VENUE_HOUSE_LINE', 'false VENUE_PROT'],
  );
  const [sound, ...others] = checkVariables('maker', {
    VENUE_MAKER_TOKEN: 'm',
    VENUE_PORT: 'of the exchange',
  });
  assert.match(sound!.text, /^\d+ variables, 1 of them set$/);
  assert.deepEqual(others, []);
});
