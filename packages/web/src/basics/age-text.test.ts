import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoText } from '../market/last-reached.ts';
import { ageText } from './age-text.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

test('an age has the unit that it is worth, and none where nobody knows it', () => {
  const told: readonly (readonly [number, string])[] = [
    [-SECOND, '0.0 s'],
    [1_400, '1.4 s'],
    [10 * SECOND, '10 s'],
    [119 * SECOND, '119 s'],
    [2 * MINUTE, '2 min'],
    [119 * MINUTE, '119 min'],
    [47 * HOUR, '47 h'],
    [49 * HOUR, '2 days'],
    [Number.NaN, '–'],
  ];
  for (const [ms, text] of told) assert.equal(ageText(ms), text);
});

test('beyond two minutes it is what an earlier time is told by', () => {
  for (const ms of [2 * MINUTE, 90 * MINUTE, 5 * HOUR, 72 * HOUR])
    assert.equal(agoText(ms), `${ageText(ms)} ago`);
});
