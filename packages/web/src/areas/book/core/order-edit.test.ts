import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenOrder } from '@venue/protocol';
import { editOf, effectText, filledOf, type OrderEdit, readEdit, staleText } from './order-edit.ts';

const ORDER = { id: 7, qty: 5, remaining: 3, price: 12.5 } as OpenOrder;
const edit = (typed: Partial<OrderEdit>): OrderEdit => ({ ...editOf(ORDER), ...typed });

describe('AMD-1: an edit of a resting order', () => {
  it('begins with the order as it stands', () => {
    assert.deepEqual(editOf({ ...ORDER, qty: 1_500.25 }), {
      order: { ...ORDER, qty: 1_500.25 },
      qty: '1500.25',
      price: '12.50',
    });
    assert.equal(readEdit(editOf(ORDER)).kind, 'unchanged');
    assert.equal(filledOf({ qty: 0.3, remaining: 0.1 }), 0.2);
  });

  it('sends what was changed alone, and what had filled when the person looked', () => {
    const price = readEdit(edit({ price: '12,75' }));
    assert.ok(price.kind === 'change');
    assert.deepEqual(price.action, { type: 'amend', orderId: 7, price: 12.75, filledAtMost: 2 });
    const qty = readEdit(edit({ qty: '4' }));
    assert.ok(qty.kind === 'change');
    assert.deepEqual(qty.action, { type: 'amend', orderId: 7, qty: 4, filledAtMost: 2 });
    assert.equal(qty.remaining, 2);
  });

  it('keeps its place only for less at the same price', () => {
    const keeps = (typed: Partial<OrderEdit>) => {
      const read = readEdit(edit(typed));
      return read.kind === 'change' && read.keepsPlace;
    };
    assert.deepEqual(
      [keeps({ qty: '4' }), keeps({ qty: '6' }), keeps({ qty: '4', price: '12' })],
      [true, false, false],
    );
    assert.equal(effectText(edit({ qty: '4' })), '2 would rest at 12.50, in its place in the queue.');
    assert.equal(
      effectText(edit({ price: '13' })),
      '3 would rest at 13.00, behind all others at that price.',
    );
  });

  it('ends the order with a total that has filled already', () => {
    const read = readEdit(edit({ qty: '2' }));
    assert.ok(read.kind === 'end');
    assert.deepEqual(read.action, { type: 'amend', orderId: 7, qty: 2, filledAtMost: 2 });
    assert.equal(effectText(edit({ qty: '1.5' })), '2 of it has filled already: this cancels the rest.');
    assert.equal(readEdit(edit({ qty: '2.000001' })).kind, 'change');
  });

  it('cannot be read with an empty field or a zero, and reads no binary fraction', () => {
    for (const typed of [{ qty: '' }, { qty: '0' }, { price: 'x' }, { price: '0' }])
      assert.equal(readEdit(edit(typed)).kind, 'unreadable');
    const words: readonly (readonly [typed: Partial<OrderEdit>, said: string])[] = [
      [{ qty: '-5' }, 'Quantity: Must not be negative.'],
      [{ qty: '0' }, 'Quantity: Must be more than zero.'],
      [{ qty: '1e9' }, 'Quantity: Enter a number.'],
      [{ price: '9999999999' }, 'Limit price: Too large.'],
      [{ qty: '', price: 'abc' }, 'Quantity: Enter a number. Limit price: Enter a number.'],
    ];
    for (const [typed, said] of words) assert.equal(effectText(edit(typed)), said);
    const read = readEdit(edit({ price: '0.3' }));
    assert.ok(read.kind === 'change' && read.action.price === 0.3);
  });

  it('says what has happened to the order meanwhile', () => {
    const begun = editOf(ORDER);
    assert.equal(staleText(begun, ORDER), null);
    assert.equal(
      staleText(begun, { ...ORDER, remaining: 1.5 }),
      '1.5 more of it has filled since you began: 3.5 of 5 now.',
    );
    assert.equal(
      staleText(begun, { ...ORDER, qty: 6, remaining: 4 }),
      'It was changed elsewhere: 6 at 12.50 now.',
    );
    assert.equal(staleText({ ...begun, price: '13' }, { ...ORDER, price: 13 }), null);
    assert.equal(staleText(begun, { ...ORDER, price: 13 }), 'It was changed elsewhere: 5 at 13.00 now.');
  });
});
