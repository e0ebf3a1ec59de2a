import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountsApart } from './amounts-apart.ts';
import { formatPnl, formatPosition } from './numbers.ts';

test('amounts with a sign stand apart from the words around them, whole', () => {
  for (const amount of [formatPnl(-3_675.79, '$'), formatPnl(12, '$'), formatPnl(-0.5), formatPosition(-0.3)])
    assert.deepEqual(amountsApart(`Cash ${amount}, and more.`), ['Cash ', amount, ', and more.']);
  assert.deepEqual(amountsApart('max loss $5.00 · break-even 94,200 and 95,800'), [
    ...['max loss $5.00 · ', 'break-even 94,200', ' and 95,800'],
  ]);
  assert.deepEqual(amountsApart('no amount: 28 Nov 95,000'), ['no amount: 28 Nov 95,000']);
  const text = `${formatPnl(1, '$')} and ${formatPnl(-1, '$')}`;
  assert.equal(amountsApart(text).join(''), text);
});
