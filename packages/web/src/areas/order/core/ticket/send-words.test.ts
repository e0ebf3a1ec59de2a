import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderPreviewAnswer } from '@venue/protocol';
import type { Side } from '../../../../market/touch.ts';
import { NO_ORDER, type Ticket } from '../form/order.ts';
import { sendWords } from './send-words.ts';

const LABEL = 'BTC 28 Nov 95,000 call';
const preview = (cost: number, fee: number, restedQty = 0) =>
  ({ status: 'filled', cost, fee, restedQty }) as unknown as OrderPreviewAnswer;

function words({ side = 'buy', ...patch }: Partial<Ticket> & { readonly side?: Side }) {
  const legs = [{ seriesId: 'BTC-1795827600-C-95000', side, ratio: 1 }];
  return sendWords({ ...NO_ORDER, legs, qty: '2', price: '1240', ...patch }, LABEL);
}

test('TERM-25: the button says in two lines what it does, and price and money', () => {
  assert.deepEqual(words({ preview: preview(2_480, 12.4) }), {
    what: `Buy 2 ${LABEL}`,
    how: 'at $1,240.00 · cost $2,492.40',
  });
  assert.deepEqual(words({ side: 'sell', preview: preview(0, 0, 2) }), {
    what: `Sell 2 ${LABEL}`,
    how: 'at $1,240.00 · credit $2,480.00',
  });
  // Of a cheap sale the fee may be more than the premium.
  assert.equal(
    words({ side: 'sell', kind: 'market', preview: preview(1, 1.5) }).how,
    'at market · cost $0.50',
  );
  assert.deepEqual(words({ qty: '', price: '' }), { what: `Buy … ${LABEL}`, how: 'at …' });
  assert.equal(words({ side: 'sell', isClosing: true }).how, 'at market, not under $1,240.00');
});

test('TERM-25: once something was asked, the first line answers it', () => {
  const asked = { cautions: ['It is far from the mark.'], preview: preview(2_480, 12.4) };
  assert.deepEqual(words(asked), { what: 'Send anyway', how: 'Buy 2 at $1,240.00 · cost $2,492.40' });
  assert.equal(words({ ...asked, isWithCancels: true }).what, 'Cancel resting, send anyway');
});
