import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderPreviewAnswer, Position } from '@venue/protocol';
import type { ForeseenOrder } from './foreseen.ts';
import { ticketOutcome } from './ticket-outcome.ts';

const idOf = (right: 'C' | 'P') => `BTC-1764374400-${right}-95000`;
const [CALL, PUT] = [idOf('C'), idOf('P')];

const order = (side: 'buy' | 'sell', qty: number, price: number, seriesId = CALL): ForeseenOrder => ({
  terms: { seriesId, side, qty, price },
  preview: null,
  mark: 500,
});
const holding = (...held: readonly [string, number, number][]) =>
  new Map(
    held.map(([seriesId, qty, avgPrice]) => [
      seriesId,
      { seriesId, symbol: 'BTC', qty, avgPrice } as Position,
    ]),
  );

test('TERM-11: an order that opens says what it can lose and make, and where it is even', () => {
  const none = new Map<string, Position>();
  assert.equal(
    ticketOutcome(order('buy', 1, 546), none),
    'Max loss $546.00 · max profit unlimited · break-even 95,546',
  );
  assert.equal(
    ticketOutcome(order('sell', 2, 500), none),
    'Max loss unlimited · max profit $1,000.00 · break-even 95,500',
  );
  assert.equal(
    ticketOutcome(order('sell', 0.1, 500, PUT), none),
    'Max loss $9,450.00 · max profit $50.00 · break-even 94,500',
  );
  assert.match(ticketOutcome(order('buy', 1, 546), holding([PUT, 1, 10])), /^This order alone: max loss /);
  const preview = { status: 'rejected', code: 'no-liquidity' } as unknown as OrderPreviewAnswer;
  assert.equal(ticketOutcome({ ...order('buy', 1, 546), preview }, none), '');
});

test('TERM-11: what closes a position says what it realises, with its fee once the venue has said it', () => {
  assert.equal(
    ticketOutcome(order('sell', 1, 450), holding([CALL, 1, 550])),
    'Realises −$100.00 before its fee',
  );
  const preview = {
    ...{ status: 'filled', fills: [{ price: 450, qty: 1 }], restedQty: 0, cost: 450, fee: 2.25 },
  } as unknown as OrderPreviewAnswer;
  const closing = { ...order('sell', 1, 427.5), preview, isClosing: true };
  assert.equal(ticketOutcome(closing, holding([CALL, 1, 550])), 'Realises −$102.25 after its fee');
  assert.equal(
    ticketOutcome(order('buy', 1, 450), holding([CALL, -2, 550])),
    'Realises +$100.00 before its fee',
  );
  assert.equal(
    ticketOutcome(order('sell', 3, 450), holding([CALL, 1, 550])),
    'Realises −$100.00 before its fee · Opens 2: max loss unlimited · max profit $900.00 · break-even 95,450',
  );
});
