import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import { AccountLines } from './account-lines.ts';
import { type Holdings, Inventory } from './inventory.ts';
import type { Listening, News, QuoteLine } from './quote-line.ts';
import type { Change } from './quoter.ts';

/** An account that notes what it is asked to do. */
class NotedLine implements QuoteLine {
  readonly name: string;
  readonly noted: string[] = [];
  fillIds: number[] = [];
  isOpen = true;
  news: News | null = null;

  constructor(name: string) {
    this.name = name;
  }

  levelsMaxOf(_symbol: string, { length }: readonly string[]): number {
    return 12 / length;
  }

  async open(): Promise<void> {
    this.noted.push('open');
  }

  async listen(news: News, after: number): Promise<Listening> {
    this.noted.push(`listen after ${after}`);
    this.news = news;
    const stream = this;
    return {
      get isOpen() {
        return stream.isOpen;
      },
      close: () => this.noted.push('close'),
    };
  }

  pushesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
    return [changes];
  }

  async push(changes: readonly Change[]) {
    this.noted.push(`push ${changes.map(({ series }) => series.symbol)}`);
    return { accepted: changes, refused: 0, isListOld: false };
  }

  async keepAlive(): Promise<readonly string[]> {
    return [this.name];
  }

  async holdings(): Promise<readonly Holdings[]> {
    return [{ positions: [], exposure: 0, houseLine: this.name === 'first' ? 0 : 100 }];
  }

  async fills(after: number): Promise<readonly FillRecord[]> {
    return this.fillIds.filter((id) => id > after).map((id) => ({ id }) as FillRecord);
  }

  async lastFill(): Promise<number> {
    return this.fillIds.at(-1) ?? 0;
  }

  async pull(): Promise<void> {
    this.noted.push('pull');
    if (this.name === 'first') throw new Error('unreachable');
  }

  giveUp(): void {}
}

function accounts() {
  const [first, eth] = [new NotedLine('first'), new NotedLine('eth')];
  const lines = new AccountLines([
    { symbol: 'BTC', line: first },
    { symbol: 'ETH', line: eth },
  ]);
  return { first, eth, lines };
}

const changeOf = (symbol: string) => ({ series: { symbol } }) as Change;

test('QTS-2: each underlying goes through its own account, and one without through the first', async () => {
  const { first, eth, lines } = accounts();
  const symbols = ['BTC', 'ETH', 'SOL'];
  assert.deepEqual(
    symbols.map((symbol) => lines.levelsMaxOf(symbol, symbols)),
    [6, 12, 6],
  );
  for (const slice of lines.pushesOf(['ETH', 'BTC', 'SOL', 'ETH'].map(changeOf))) await lines.push(slice);
  assert.deepEqual([first.noted, eth.noted], [['push BTC,SOL'], ['push ETH,ETH']]);
  assert.deepEqual(await lines.keepAlive(0), ['first', 'eth']);
});

test('MM-6: fills of several accounts are each read on from the last of their own', async () => {
  const { first, eth, lines } = accounts();
  [first.fillIds, eth.fillIds] = [[3], [1]];
  assert.equal(await lines.lastFill(), 3);
  // One account's fill is seen before an earlier one of the other.
  first.fillIds.push(9);
  assert.deepEqual(
    (await lines.fills(3)).map(({ id }) => id),
    [9],
  );
  eth.fillIds.push(7);
  assert.deepEqual(
    (await lines.fills(9)).map(({ id }) => id),
    [7],
  );
  await lines.listen({} as News, 9);
  assert.deepEqual([first.noted, eth.noted], [['listen after 9'], ['listen after 7']]);
});

test('MM-6: one account listens for prices, and the streams are open as long as all of them are', async () => {
  const { first, eth, lines } = accounts();
  const spots: string[] = [];
  const news: News = { spots: () => spots.push('spots'), traded: () => {}, holdings: () => {} };
  const stream = await lines.listen(news, 0);
  first.news!.spots([]);
  eth.news!.spots([]);
  assert.deepEqual([spots, stream.isOpen], [['spots'], true]);
  eth.isOpen = false;
  assert.equal(stream.isOpen, false);
  await assert.rejects(lines.pull(), /unreachable/);
  assert.ok(eth.noted.includes('pull'), 'the others are still pulled');
});

test('an account without means stops its own underlyings, and no others', async () => {
  const { lines } = accounts();
  const inventory = new Inventory();
  inventory.replace(...(await lines.holdings()));
  inventory.revalue(() => ({ price: 1, spot: 1 }));
  assert.deepEqual(
    ['BTC', 'SOL', 'ETH'].map((symbol) => inventory.isFullHouse(symbol)),
    [true, true, false],
  );
  assert.equal(inventory.ownShare, 1);
});
