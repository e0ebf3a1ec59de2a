import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, FillRecord, TapePrint } from '@venue/engine';
import { Changes } from './changes.ts';

// Changes are distinguished by identity only; nothing is read from these.
const ALICE = {} as Account;
const BOB = {} as Account;
const [FIRST, SECOND] = [{} as FillRecord, {} as FillRecord];
const PRINT = {} as TapePrint;

function change(changes: Changes): void {
  changes.spotMoved();
  changes.printed(PRINT);
  for (const account of [ALICE, BOB]) {
    changes.filled(account, FIRST);
    changes.filled(account, SECOND);
    changes.accountChanged(account);
    changes.ordersChanged(account);
  }
}

describe('the changes since the last tick', () => {
  it('are empty while nobody watches', () => {
    const changes = new Changes({ any: () => false, of: () => false });
    change(changes);
    const { spots, prints, fills, accounts, orders } = changes.take();
    assert.deepEqual([spots, prints.length, fills.size, accounts.size, orders.size], [false, 0, 0, 0, 0]);
  });

  it('are only public for a client without an account', () => {
    const changes = new Changes({ any: () => true, of: () => false });
    change(changes);
    const { spots, prints, fills, accounts, orders } = changes.take();
    assert.deepEqual([spots, prints.length, fills.size, accounts.size, orders.size], [true, 1, 0, 0, 0]);
  });

  it('are of watched accounts, with fills oldest first, and are returned once', () => {
    const changes = new Changes({ any: () => true, of: (account) => account === ALICE });
    change(changes);
    const { fills, accounts, orders } = changes.take();
    assert.deepEqual([fills.size, accounts.has(ALICE), orders.has(ALICE)], [1, true, true]);
    assert.deepEqual([accounts.size, orders.size], [1, 1]);
    const [first, second, ...more] = fills.get(ALICE)!;
    assert.ok(first === FIRST && second === SECOND && more.length === 0);
    const again = changes.take();
    assert.deepEqual(
      [again.spots, again.prints.length, again.fills.size, again.accounts.size, again.orders.size],
      [false, 0, 0, 0, 0],
    );
  });
});
