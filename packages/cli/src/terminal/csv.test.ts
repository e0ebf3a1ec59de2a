import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from './csv.ts';

test('RFC 4180: CRLF after each line, and quotes around what needs them', () => {
  assert.equal(
    csv(
      ['a', 'b'],
      [
        ['1', 'x, y'],
        ['say "hi"', 'two\nlines'],
      ],
    ),
    'a,b\r\n1,"x, y"\r\n"say ""hi""","two\nlines"\r\n',
  );
});
