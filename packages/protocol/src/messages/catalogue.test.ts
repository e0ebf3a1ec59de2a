import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toMicros } from '../units.ts';
import { AMOUNT_MESSAGES, AMOUNT_REJECT, amountsIn } from './amounts.ts';
import { EDGE_MESSAGES, PUSH_MESSAGES } from './around.ts';
import { CATALOGUE } from './catalogue.ts';
import { declined } from './declined.ts';
import { FIELDS } from './fields.ts';
import { HELPS } from './helps.ts';
import { belowSmallestPayout, GAP_MESSAGES, insufficientWithdrawable, MESSAGES } from './messages.ts';
import {
  BATCH_REJECT,
  houseLineExceeded,
  insufficientBuyingPower,
  insufficientMargin,
  REJECT,
  ROW_REJECT,
} from './reasons.ts';
import { codeOf } from './refusal.ts';

/** A reason and a message of one name are one refusal. */
const TEXTS: readonly (readonly [string, string])[] = [
  ...[MESSAGES, AMOUNT_MESSAGES, GAP_MESSAGES, FIELDS, EDGE_MESSAGES, PUSH_MESSAGES].flatMap((table) =>
    Object.entries(table).map(([name, { error }]) => [name, error] as const),
  ),
  ...Object.entries({ ...REJECT, ...BATCH_REJECT, ...AMOUNT_REJECT, ...ROW_REJECT }),
];

describe('ERR-1 the catalogue of refusals', () => {
  it('ERR-1 names a refusal by its name in kebab case', () => {
    assert.equal(codeOf('insufficientBuyingPower'), 'insufficient-buying-power');
    assert.equal(codeOf('internal'), 'internal');
    for (const code of CATALOGUE.keys()) assert.match(code, /^[a-z]+(-[a-z]+)*$/);
  });

  it('ERR-1 has every table, and one text for a code and one code for a text', () => {
    for (const [name, text] of TEXTS) assert.equal(CATALOGUE.get(codeOf(name) as never), text, name);
    assert.equal(CATALOGUE.size, new Set(TEXTS.map(([name]) => name)).size);
    assert.equal(new Set(CATALOGUE.values()).size, CATALOGUE.size);
  });

  it('ERR-1 says in a sentence what helps against each of them, and against nothing else', () => {
    assert.deepEqual(Object.keys(HELPS).sort(), [...CATALOGUE.keys()].sort());
    for (const helps of Object.values(HELPS)) assert.match(helps, /^[A-Z][^\n]{8,120}\.$/);
  });
});

describe('ERR-1 the reading of a reason', () => {
  for (const [name, text] of Object.entries({ ...REJECT, ...BATCH_REJECT, ...ROW_REJECT })) {
    it(`ERR-1 ${text}`, () => assert.deepEqual(declined(text), { code: codeOf(name) }));
  }

  const amounts = { needMicros: toMicros(12_499_999), haveMicros: toMicros(-3_000_000) };
  const line = { needMicros: toMicros(12_499_999), headroomMicros: toMicros(10_000_000_000_000) };

  it('ERR-1 finds the amounts of a reason where its text has them', () => {
    const read = { need: 12.5, have: -3 };
    assert.deepEqual(declined(insufficientMargin(amounts)), { code: 'insufficient-margin', ...read });
    assert.deepEqual(declined(insufficientBuyingPower(amounts)), {
      code: 'insufficient-buying-power',
      ...read,
    });
    assert.deepEqual(declined(houseLineExceeded(line)), {
      ...{ code: 'house-line-exceeded', need: 12.5, headroom: 10_000_000 },
    });
  });

  it('ERR-1 finds the amounts of a refused withdrawal', () => {
    const refused = insufficientWithdrawable(amounts);
    assert.deepEqual(amountsIn(refused.code, refused.error), { need: 12.5, have: -3 });
    const small = belowSmallestPayout({ leastMicros: toMicros(1_000_000) });
    assert.deepEqual(amountsIn(small.code, small.error), { need: 1 });
    assert.deepEqual(amountsIn('bad-qty', 'bad qty 1.00'), {});
  });

  it('ERR-1 refuses a text that stands in no table', () => {
    assert.throws(() => declined('too bad'), RangeError);
  });
});
