import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourless } from '../terminal/style.ts';
import { exposureText } from './exposure.ts';

const PAGE = { width: 80, paint: colourless };
const QUIET = {
  ...{ ts: 0, calledCount: 0, called: [], heldCount: 0, largest: [] },
  ...{ expiries: [], stops: [], proposals: [] },
};

test('RSK-5 the report begins with the symbols whose jump stops liquidation, if there are any', () => {
  assert.equal(exposureText(QUIET, PAGE)[0], 'in margin call: 0');
  const since = Date.UTC(2026, 0, 18, 3, 4, 5);
  const stop = { symbol: 'BTC', spot: 9_500_000, median: 95_000, since, until: since + 60_000 };
  const [title, header, row] = exposureText({ ...QUIET, stops: [stop] }, PAGE);
  assert.equal(title, 'liquidation stopped by a jump: 1');
  assert.match(header!, /^underlying +spot USD +median USD +since \(UTC\) +until \(UTC\)$/);
  assert.match(row!, /^BTC +9,?500,?000\.00 +95,?000\.00 .*03:04:05 .*03:05:05$/);
});
