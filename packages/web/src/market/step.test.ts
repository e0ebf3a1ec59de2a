import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapped, stepOf, stepped } from './step.ts';

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
  assert.equal(stepped('qty', '1234', up), '1235');
});

test('a price under a pointer comes to a step, and never to zero', () => {
  assert.deepEqual([1067.38, 99.996, 0.012345, 0].map(snapped), ['1,067.00', '100.00', '0.0123', '0.0001']);
});

test('the arrow keys step by one, with Shift by ten, with Alt by a tenth', () => {
  const key = (name: string, held = {}) => stepOf({ key: name, shiftKey: false, altKey: false, ...held });
  assert.deepEqual(key('ArrowUp'), { direction: 1, size: 'one' });
  assert.deepEqual(key('ArrowDown', { shiftKey: true }), { direction: -1, size: 'ten' });
  assert.deepEqual(key('ArrowUp', { altKey: true }), { direction: 1, size: 'tenth' });
  assert.equal(key('a'), null);
});
