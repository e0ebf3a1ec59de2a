import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MarginMarks } from '@venue/protocol';
import { markedAt, markOf, partText } from './mark-words.ts';

const marks = (parts: Partial<MarginMarks>): MarginMarks => ({
  ...{ seriesId: 'S', iv: 0.5, model: 10, bid: null, ask: null, book: null, risk: 10 },
  ...parts,
});

describe('RSK-2 which of its parts a mark by the model is at', () => {
  const table: readonly (readonly [at: string, parts: Partial<MarginMarks>])[] = [
    ['intrinsic', { iv: null, model: null, risk: 3 }],
    ['model', { bid: 9, ask: 11 }],
    ['model', { bid: 10, ask: 11 }],
    ['impact bid', { bid: 10.5, ask: 12, risk: 10.5 }],
    ['impact ask', { bid: 8, ask: 9.5, risk: 9.5 }],
    ['edge of the band', { bid: 40, risk: 11 }],
    ['edge of the band', { ask: 2, risk: 9 }],
    ['intrinsic', { bid: 9, risk: 10.1 }],
    ['most it can pay', { bid: 9, ask: 11, risk: 9.9 }],
  ];
  for (const [at, parts] of table)
    test(`${JSON.stringify(parts)}: ${at}`, () => assert.equal(markedAt(marks(parts)), at));
});

describe('RSK-1 the mark that counts', () => {
  test('by the book, none in an empty book', () => {
    assert.equal(markOf(marks({ book: 4, risk: 4 }), 'book'), 4);
    assert.equal(markOf(marks({ book: null, risk: 0 }), 'book'), Number.NaN);
  });

  test('by the model, whatever the book holds', () => {
    assert.equal(markOf(marks({ book: null, risk: 0 }), 'model'), 0);
  });

  test('an unknown part has a dash', () => assert.equal(partText(null), '–'));
});
