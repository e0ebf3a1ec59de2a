import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byteRangeOf } from './byte-range.ts';

describe('the range of a request for a file (FIL-2)', () => {
  const CASES: readonly (readonly [header: string | undefined, expected: ReturnType<typeof byteRangeOf>])[] =
    [
      ['bytes=0-9', { from: 0, bytes: 10 }],
      ['bytes=99-99', { from: 99, bytes: 1 }],
      ['bytes=90-', { from: 90, bytes: 10 }],
      ['bytes=90-1000', { from: 90, bytes: 10 }],
      ['bytes=-10', { from: 90, bytes: 10 }],
      ['bytes=-1000', { from: 0, bytes: 100 }],
      ['bytes=100-', 'none'],
      ['bytes=-0', 'none'],
      [undefined, null],
      ['', null],
      ['bytes=-', null],
      ['bytes=9-0', null],
      ['bytes=0-1,5-6', null],
      ['items=0-1', null],
      ['bytes=0x1-2', null],
      ['bytes= 0-1', null],
      [`bytes=0-${'9'.repeat(40)}`, null],
    ];
  for (const [header, expected] of CASES)
    it(`${header} of 100 bytes is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(byteRangeOf(header, 100), expected);
    });

  it('has nothing of an empty file', () => {
    assert.deepEqual(
      ['bytes=0-0', 'bytes=-1', 'bytes=0-'].map((range) => byteRangeOf(range, 0)),
      ['none', 'none', 'none'],
    );
  });
});
