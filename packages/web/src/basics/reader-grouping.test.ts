import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsByPoints } from './reader-grouping.ts';

test('TERM-23: a reader may mean thousands by a point in any language that groups so, in numbers or in money', () => {
  for (const language of ['de-DE', 'es-ES', 'it', 'nl', 'pt-BR', 'id', 'tr', 'da', 'de-AT'])
    assert.equal(groupsByPoints([language]), true, language);
  for (const language of ['en-US', 'en-GB', 'fr-FR', 'de-CH', 'ja', 'pl', 'no language'])
    assert.equal(groupsByPoints([language]), false, language);
  assert.equal(groupsByPoints(['en-US', 'de']), true);
  assert.equal(groupsByPoints([]), false);
});
