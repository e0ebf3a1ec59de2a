import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KeptTexts } from './kept-texts.ts';

it('HTTP-5: texts are kept until all are too long, and then without the oldest', () => {
  const texts = new KeptTexts<string>(10);
  const kept = () => ['a', 'b', 'c'].map((key) => texts.get(key)?.length);
  texts.set('a', 'xxxx');
  texts.set('b', 'xxxxxx');
  assert.deepEqual(kept(), [4, 6, undefined]);
  texts.set('c', 'x');
  assert.deepEqual(kept(), [undefined, 6, 1]);
  texts.set('b', 'xx');
  texts.delete('c');
  texts.delete('c');
  texts.set('a', 'xxxxxxxx');
  assert.deepEqual(kept(), [8, 2, undefined]);
  texts.set('c', 'longer than all of them may be');
  assert.deepEqual(kept(), [undefined, undefined, undefined]);
});
