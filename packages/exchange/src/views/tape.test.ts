import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Series, TapePrint } from '@venue/engine';
import type { Micros } from '@venue/protocol';
import { Tape } from './tape.ts';

it('the tape keeps the last 100 prints of each symbol, newest first', () => {
  const tape = new Tape();
  for (let ts = 1; ts <= 150; ts++) tape.printed(print('BTC', ts));
  tape.printed(print('ETH', 7));
  const times = tape.newest('BTC', 1_000).map(({ ts }) => ts);
  assert.deepEqual(
    times,
    Array.from({ length: 100 }, (_, i) => 150 - i),
  );
  assert.deepEqual(
    tape.newest('BTC', 2).map(({ ts }) => ts),
    [150, 149],
  );
  assert.deepEqual(
    tape.newest('ETH', 50).map(({ ts }) => ts),
    [7],
  );
  assert.deepEqual(tape.newest('SPX', 50), []);
});

function print(symbol: string, ts: number): TapePrint {
  const series = { instrument: { symbol } } as Series;
  const one = 1 as Micros;
  return { id: ts, series, ts, side: 'buy', priceMicros: one, qtyMicros: one, isSelf: false };
}
