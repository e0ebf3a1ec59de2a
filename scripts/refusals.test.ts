import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTextMatches } from './refusals.ts';

const found = (text: string) => findTextMatches({ path: 'a.ts', text }).length;

for (const planted of [
  "if (error.message === 'nonce already used') return;",
  "if (reason.startsWith('insufficient buying power')) return;",
  'if (error.message === MESSAGES.nonceUsed.error) return;',
  'const isEmpty = reason === REJECT.noLiquidity;',
  'const isOld = /nonce (already used|outside)/.test(error.message);',
  'const amounts = reason.match(/(need ~(.+), have (.+))$/);',
])
  test(`ERR-1: the check finds ${planted}`, () => assert.equal(found(planted), 1));

for (const sound of [
  "if (error.code === 'nonce-used') return;",
  "// 'nonce already used' in a comment",
  'const parts = text.split(/s*,s*/);',
  "const word = 'internal';",
])
  test(`ERR-1: the check passes ${sound}`, () => assert.equal(found(sound), 0));
