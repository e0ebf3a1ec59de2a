import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Account, NO_EFFECTS } from '@venue/engine';
import { type Listener, tellAll } from './listeners.ts';

describe('a list of listeners', () => {
  it('is told in its order, each of what it wants to hear of, with all there is to say', () => {
    const told: unknown[] = [];
    class Counting implements Listener {
      readonly name = 'second';
      orderClosed(...said: unknown[]): void {
        told.push([this.name, ...said]);
      }
    }
    const effects = tellAll([
      { orderClosed: (...said) => told.push(['first', ...said]) },
      { spotMoved: (symbol) => told.push(['first', symbol]) },
      new Counting(),
    ]);
    assert.deepEqual(Object.keys(effects).sort(), Object.keys(NO_EFFECTS).sort());
    const account = { index: 3 } as Account;
    effects.orderClosed(account, 7, 'user');
    effects.spotMoved('BTC');
    effects.ordersChanged(account);
    assert.deepEqual(told, [
      ['first', account, 7, 'user'],
      ['second', account, 7, 'user'],
      ['first', 'BTC'],
    ]);
  });
});
