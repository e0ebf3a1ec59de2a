import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { PreviewLoop } from './preview-loop.ts';

describe('TERM-3: previews of an order that is being written', () => {
  let order: string | null;
  let isOpen: boolean;
  let readsLeft: number;
  let asked: PromiseWithResolvers<string>[];
  let told: (string | null)[];
  let loop: PreviewLoop<string, string>;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [order, isOpen, readsLeft, asked, told] = ['1 call', true, 10, [], []];
    loop = new PreviewLoop({
      isOpen: () => isOpen,
      terms: () => order,
      isSignedIn: () => true,
      take: () => readsLeft-- > 0,
      ask() {
        const answer = Promise.withResolvers<string>();
        asked.push(answer);
        return answer.promise;
      },
      onAnswer: (answer) => told.push(answer),
      onNone: (fault) => told.push(fault),
    });
  });
  afterEach(() => mock.timers.reset());

  /** Lets answers arrive, and then time pass. */
  async function pass(ms: number): Promise<void> {
    for (let i = 0; i < 5; i++) await Promise.resolve();
    mock.timers.tick(ms);
  }

  it('come once the person pauses, and again every two seconds', async () => {
    loop.soon();
    await pass(149);
    loop.soon();
    await pass(149);
    assert.equal(asked.length, 0);
    await pass(1);
    asked[0]!.resolve('fills');
    await pass(1_999);
    assert.deepEqual(told, ['fills']);
    assert.equal(asked.length, 1);
    await pass(1);
    assert.equal(asked.length, 2);
  });

  it('are dropped where they are of older terms', async () => {
    loop.now();
    await pass(0);
    loop.now();
    await pass(0);
    asked[1]!.resolve('new');
    await pass(0);
    asked[0]!.reject(new Error('old'));
    await pass(0);
    assert.deepEqual(told, ['new']);
  });

  it('wait for a read from the allowance, and say why one failed', async () => {
    readsLeft = 0;
    loop.now();
    await pass(0);
    assert.equal(asked.length, 0);
    readsLeft = 1;
    await pass(150);
    asked[0]!.reject(new Error('the venue is away'));
    await pass(0);
    assert.deepEqual(told, ['the venue is away']);
  });

  it('are not asked for without an order, nor once it cannot be sent any more', async () => {
    order = null;
    loop.now();
    await pass(0);
    assert.deepEqual(told, [null]);
    order = '1 call';
    isOpen = false;
    await pass(2_000);
    loop.now();
    await pass(10_000);
    assert.equal(asked.length, 0);
  });
});
