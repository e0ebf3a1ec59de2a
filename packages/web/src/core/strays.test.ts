import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import { cardOf, cashEffect } from './fill-words.ts';
import { Strays } from './strays.ts';

const fill = (id: number, kind: FillRecord['kind']) => ({ id, kind }) as FillRecord;

function place() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
}

test('what happened to an account is told once, oldest first, and never its history', () => {
  const storage = place();
  const strays = new Strays(storage);
  const first = [fill(3, 'liquidation'), fill(1, 'trade')];
  assert.deepEqual(strays.take('0xA', first), []);
  const later = [fill(7, 'settlement'), fill(6, 'trade'), fill(5, 'liquidation'), ...first];
  assert.deepEqual(
    strays.take('0xa', later).map(({ id }) => id),
    [5, 7],
  );
  assert.deepEqual(strays.take('0xA', later), []);
  assert.deepEqual(strays.take('0xB', later), [], 'another account has another history');
});

test('a page that was closed meanwhile tells of it at the next visit', () => {
  const storage = place();
  new Strays(storage).take('0xA', []);
  const reopened = new Strays(storage);
  assert.deepEqual(
    reopened.take('0xA', [fill(1, 'liquidation')]).map(({ id }) => id),
    [1],
  );
});

test('without a storage the page still tells of what it saw happen', () => {
  const strays = new Strays(null);
  strays.take('0xA', [fill(1, 'trade')]);
  assert.equal(strays.take('0xA', [fill(2, 'settlement'), fill(1, 'trade')]).length, 1);
});

test('cards say what happened, at what price, and what it did to the cash', () => {
  const sold = { side: 'sell', price: 10.5, qty: 2, fee: 0, realized: -3 } as FillRecord;
  const bought = { side: 'buy', price: 10, qty: 2, fee: 0.1, realized: 4 } as FillRecord;
  assert.deepEqual([cashEffect(sold), cashEffect(bought)], [21, -20.1]);
  const settled = cardOf({ ...sold, kind: 'settlement' }, 'BTC call', 'paper $')!;
  assert.match(settled.text, /2 long paid out 10\.50 each\. Cash \+paper \$21\.00, realised −paper \$3\.00/);
  assert.match(
    cardOf({ ...bought, price: 0, fee: 0, kind: 'settlement' }, 'x', '$')!.text,
    /2 short expired without value\. Cash 0\.00|Cash \$0\.00/,
  );
  const liquidated = cardOf({ ...bought, kind: 'liquidation' }, 'BTC call', '$')!;
  assert.equal(liquidated.tone, 'danger');
  assert.match(
    liquidated.text,
    /bought 2 of your short back at 10\.00 with a fee of 0\.10\. Cash −\$20\.10, realised \+\$4\.00/,
  );
  assert.equal(cardOf({ ...sold, kind: 'trade' }, 'x', '$'), null);
});
