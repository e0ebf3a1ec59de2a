import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord, SettlementList } from '@venue/protocol';
import { expiredWords } from './expired-words.ts';

const EXPIRY = 1_795_827_600;
const id = (right: 'C' | 'P') => `BTC-${EXPIRY}-${right}-95000`;
const list = (expiryTs: number) =>
  ({ settlements: [{ symbol: 'BTC', expiryTs, price: 95_310 }] }) as unknown as SettlementList;

test('ORA-1: the ticket of a settled contract has its price and payout, and what the account got', () => {
  assert.equal(expiredWords(id('C'), list(EXPIRY), []), 'It settled at 95,310.00 and paid 310.00 each.');
  assert.equal(expiredWords(id('P'), list(EXPIRY), []), 'It settled at 95,310.00 and expired without value.');
  const fill = { kind: 'settlement', seriesId: id('C'), side: 'sell', price: 310, qty: 0.5, fee: 0 };
  const fills = [{ ...fill, realized: 100 } as FillRecord];
  assert.match(
    expiredWords(id('C'), list(EXPIRY), fills),
    / Your 0\.5 long: cash \+\$155\.00, realised \+\$100\.00\.$/,
  );
  assert.doesNotMatch(expiredWords(id('P'), list(EXPIRY), fills), /Your/);
});

test('ORA-1: without a settlement price it waits', () => {
  for (const known of [null, list(EXPIRY + 86_400)])
    assert.match(expiredWords(id('C'), known, []), /positions settle at the settlement price/);
});
