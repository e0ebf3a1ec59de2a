import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptTicket } from './kept-ticket.ts';

const ID = 'BTC-1795827600-C-95000';
const draft = { side: 'sell', kind: 'limit', qty: '0.25', price: '1240.5' } as const;
const legs = [{ seriesId: ID, side: 'sell', ratio: 1 }] as const;

function storage(text: string | null = null) {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_: string, value: string) => {
      kept = value;
    },
    removeItem: () => {
      kept = null;
    },
  };
}

test('TERM-17: a reload has the order as it was typed, for its contract alone', () => {
  const place = storage();
  const ticket = new KeptTicket(() => place);
  ticket.keep({ ...draft, legs, isClosing: false });
  assert.deepEqual(ticket.find(ID), draft);
  assert.equal(ticket.find('BTC-1795827600-C-96000'), null);
  ticket.keep({ ...draft, legs: [], isClosing: false });
  assert.equal(ticket.find(ID), null);
});

test('TERM-17: a close is not gone on with, nor is nonsense', () => {
  const place = storage();
  const ticket = new KeptTicket(() => place);
  ticket.keep({ ...draft, legs, isClosing: true });
  assert.equal(ticket.find(ID), null);
  for (const change of [{ side: 'both' }, { kind: 1 }, { qty: '1'.repeat(41) }, { price: null }]) {
    const text = JSON.stringify({ seriesId: ID, ...draft, ...change });
    assert.equal(new KeptTicket(() => storage(text)).find(ID), null, text);
  }
  assert.equal(new KeptTicket(() => storage('{')).find(ID), null);
  const refused = new KeptTicket(() => {
    throw new Error('refused');
  });
  refused.keep({ ...draft, legs, isClosing: false });
  assert.equal(refused.find(ID), null);
});
