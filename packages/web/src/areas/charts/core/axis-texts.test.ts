import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisTexts } from './axis-texts.ts';

const format = (value: number) => `${value.toFixed(1)}%`;

test('HIS-2: an axis has each text once, and none under the tag of the newest value', () => {
  const isCovered = (value: number) => Math.abs(value - 47.3) < 0.01;
  assert.deepEqual(axisTexts([47.1, 47.2, 47.3, 47.4], { format, tag: '47.3%', isCovered }), [
    '47.1%',
    '47.2%',
    '',
    '47.4%',
  ]);
  assert.deepEqual(axisTexts([47.34, 47.4, 47.41, 47.5], { format, tag: '47.3%', isCovered }), [
    '',
    '47.4%',
    '',
    '47.5%',
  ]);
});
