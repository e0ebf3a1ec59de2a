import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apply, type Command, NO_EFFECTS, type Series, type State } from '@venue/engine';
import type { Micros, Ticker, TickerList } from '@venue/protocol';
import { ChannelClient } from '../../../test/channels.ts';
import { listedState, pushOn } from '../../../test/listed.ts';
import { QuotedVenue, SPOT } from '../../../test/quoted-venue.ts';
import type { Json } from '../../../test/support.ts';
import { DayTrades } from '../../views/day-trades.ts';
import { Tickers } from '../../views/tickers.ts';
import { membersOf } from './content.ts';
import { TickerContent } from './ticker.ts';

const TICK_MS = 50;

/** Counts how often a series is looked at. */
class CountedTickers extends Tickers {
  looks = 0;

  override jsonOf(series: Series): string | null {
    this.looks += 1;
    return super.jsonOf(series);
  }
}

/** A channel of an underlying with 656 series, whose ticks the test makes. */
function contentOf(state: State) {
  let nowMs = 0;
  const instrument = state.instruments.get('X')!;
  const tickers = new CountedTickers(state, new DayTrades({ state, history: null }));
  const content = new TickerContent({ state, instrument, tickers, elapsedMs: () => nowMs });
  return {
    content,
    snapshot: (): TickerList => JSON.parse(`{${content.snapshot()}}`),
    /** The messages of the ticks in so long a time. */
    pass(ms: number): TickerList[] {
      const messages: TickerList[] = [];
      for (const until = nowMs + ms; nowMs < until; ) {
        nowMs += TICK_MS;
        tickers.looks = 0;
        const changes = content.changes();
        assert.ok(tickers.looks <= 656 / 20 + 1, `${tickers.looks} looks in a tick`);
        if (changes.length > 0) messages.push(JSON.parse(`{${membersOf(changes)}}`));
      }
      return messages;
    },
  };
}

function enter(state: State, command: Command, ts = state.ts): void {
  apply(state, { seq: state.seq + 1, ts, command }, NO_EFFECTS);
}

const price = (dollars: number) => ({ symbol: 'X', source: 'a', priceMicros: (dollars * 1e6) as Micros });
const idsOf = ({ tickers = [] }: Partial<TickerList>) => tickers.map(({ seriesId }) => seriesId);

describe('the content of a ticker channel', () => {
  it('is all series first, then those that changed, at most once a second (STR-1, STR-3)', () => {
    const state = listedState();
    const { snapshot, pass } = contentOf(state);
    assert.deepEqual(
      idsOf(snapshot()),
      state.instruments.get('X')!.series.map(({ seriesId }) => seriesId),
    );
    assert.deepEqual(pass(3_000), []);
    const { seriesId } = state.series[1]!;
    const messages: TickerList[] = [];
    for (let n = 1; n <= 40; n++) {
      pushOn(state, [
        { sid: 1, bids: [[(1_000_000 + n) as Micros, 1_000_000 as Micros]], asks: [], iv: 0.5 },
      ]);
      messages.push(...pass(100));
    }
    assert.ok(messages.length >= 3 && messages.length <= 4, `${messages.length} messages in 4 s`);
    for (const message of messages) assert.deepEqual(idsOf(message), [seriesId]);
    messages.push(...pass(2_500));
    const bids = messages.map(({ tickers }) => tickers[0]!.bid!);
    assert.deepEqual(
      bids.toSorted((a, b) => a - b),
      bids,
    );
    // Nothing came after the last push, so the last message has it once another entry is there.
    enter(state, { kind: 'prints', prints: [price(100)] });
    messages.push(...pass(2_500));
    assert.equal(messages.at(-1)!.tickers[0]!.bid, 1.00004);
    assert.equal(snapshot().tickers.find((row) => row.seriesId === seriesId)!.bid, 1.00004);
  });

  it('looks at a few series a tick, and moves the greeks of all with the spot (STR-3)', () => {
    const state = listedState();
    pushOn(
      state,
      state.series.map(({ sid }) => ({
        ...{ sid, bids: [[30_000_000, 1_000_000]], asks: [[31_000_000, 1_000_000]], iv: 0.5 },
      })) as Parameters<typeof pushOn>[1],
    );
    const { snapshot, pass } = contentOf(state);
    const before = snapshot().tickers.filter(({ delta }) => delta !== null);
    assert.ok(before.length > 300, `${before.length}`);
    enter(state, { kind: 'prints', prints: [price(101)] });
    enter(state, { kind: 'maintain', expiries: [] });
    const [message, ...more] = pass(2_500);
    assert.equal(message!.spot, 101);
    assert.deepEqual(more, []);
    const moved = new Map(message!.tickers.map((row) => [row.seriesId, row]));
    for (const { seriesId, delta } of before) assert.notEqual(moved.get(seriesId)?.delta, delta);
  });

  it('says which series are gone (STR-2)', () => {
    const state = listedState();
    const { snapshot, pass } = contentOf(state);
    const first = state.series[0]!;
    enter(state, { kind: 'prints', prints: [] }, first.cutoffMs + 1);
    const [message] = pass(2_500);
    const expired = state.series.filter(({ expiryTs }) => expiryTs === first.expiryTs);
    assert.deepEqual(
      message!.tickers as unknown as object[],
      expired.map(({ seriesId }) => ({ seriesId, gone: true })),
    );
    assert.ok(!idsOf(snapshot()).includes(first.seriesId));
  });
});

describe('a ticker channel', () => {
  let quoted: QuotedVenue;
  before(async () => {
    quoted = await QuotedVenue.start();
    await quoted.quote();
  });
  after(() => quoted.stop());

  it('comes to what the route answers, by a snapshot and deltas (STR-1, HIS-3)', async () => {
    const { venue } = quoted;
    const client = await new ChannelClient(venue).opened();
    assert.equal((await client.subscribe('ticker:XYZ')).status, 400);
    await client.subscribe('ticker:BTC');
    const rows = new Map<string, Ticker>();
    const { symbol, spot } = await client.snapshot('ticker:BTC');
    assert.deepEqual([symbol, spot], ['BTC', SPOT]);
    await quoted.print(SPOT + 50);
    await quoted.print(SPOT + 60);
    await client.message(
      'ticker:BTC',
      (message: Json) => message.type === 'delta' && message.spot === SPOT + 60,
    );
    // The trades are read from the history beside it.
    await client.message('ticker:BTC', ({ tickers = [] }) =>
      tickers.some((row: Ticker) => row.volume24h === 0),
    );
    const isThere = async () => {
      await quoted.print(SPOT + 60);
      rows.clear();
      for (const { tickers = [] } of client.of('ticker:BTC'))
        for (const row of tickers) rows.set(row.seriesId, row);
      const { body } = await venue.get('/v1/tickers?symbol=BTC');
      return JSON.stringify([...rows.values()]) === JSON.stringify(body.tickers) ? true : undefined;
    };
    await waitForSlowly(isThere);
    client.socket.close();
  });
});

/** Each look costs an entry. */
async function waitForSlowly(ask: () => Promise<true | undefined>): Promise<void> {
  for (let n = 0; n < 600; n++) {
    if (await ask()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the channel never came to what the route answers');
}
