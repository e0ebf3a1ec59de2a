import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qtyText, stepped } from './step.ts';

const up = { direction: 1, size: 'one' } as const;
const down = { direction: -1, size: 'one' } as const;

test('a quantity steps by contracts, ten with Shift and a tenth with Alt, and stays above zero', () => {
  assert.equal(stepped('qty', '1', up), '2');
  assert.equal(stepped('qty', '1', { direction: 1, size: 'ten' }), '11');
  assert.equal(stepped('qty', '1', { direction: -1, size: 'tenth' }), '0.9');
  assert.equal(stepped('qty', '1', down), '1');
  assert.equal(stepped('qty', '', up), '1');
});

test('a price steps by cents, and from a hundred on by a thousandth of its magnitude', () => {
  assert.equal(stepped('price', '12.30', up), '12.31');
  assert.equal(stepped('price', '1,240.00', up), '1,241.00');
  assert.equal(stepped('price', '1240', { direction: -1, size: 'ten' }), '1,230.00');
  assert.equal(stepped('price', '0.03', { direction: -1, size: 'tenth' }), '0.029');
  assert.equal(stepped('price', '0.01', down), '0.01');
  assert.equal(stepped('price', '120', up), '120.10');
});

test('unreadable text stays unchanged', () => {
  assert.equal(stepped('price', '1,234', up), '1,234');
  assert.equal(stepped('qty', 'two', down), 'two');
});

test('a quantity in the thousands can be parsed again', () => {
  assert.equal(qtyText(1234.5), '1234.5');
  assert.equal(stepped('qty', '1234', up), '1235');
});
