/** Invariants of jumps, whatever their course was (RSK-5). */

import assert from 'node:assert/strict';
import type { FillRecord } from '../src/state/records.ts';
import type { State } from '../src/state/state.ts';
import type { Description, PlainOutcome, PositionDescription } from './description.ts';

/** One a second, and the one before. */
const SPOTS_MAX = 61;

/** The remembered spots are few and in order, and there are none of them, nor a jump, without a jump stop. */
export function assertJumps({ parameters, instruments }: State): void {
  const hasStop = parameters !== null && parameters.jumpStopBps > 0;
  for (const { symbol, spots, jump, spotMicros } of instruments.values()) {
    assert.ok(spots.length <= SPOTS_MAX, `${spots.length} spots of ${symbol}`);
    assert.ok(hasStop || (spots.length === 0 && jump === null), `a jump of ${symbol} that nobody asked for`);
    spots.forEach(([second], i) => {
      assert.ok(i === 0 || second > spots[i - 1]![0], `the spots of ${symbol} are in order`);
    });
    assert.equal(spots.at(-1)?.[1] ?? spotMicros, spotMicros, `the newest spot of ${symbol}`);
  }
}

interface Tick {
  readonly after: Description;
  readonly outcome: PlainOutcome;
  readonly fills: readonly { readonly fill: FillRecord; readonly account: { readonly index: number } }[];
}

/** Nobody who held contracts on a stopped symbol is liquidated. */
export function assertSpared(before: Description, { after, outcome, fills }: Tick): void {
  const stopped = (outcome.stopped ?? []) as readonly string[];
  if (stopped.length === 0) return;
  for (const { fill, account } of fills) {
    if (fill.kind !== 'liquidation') continue;
    // What settled in the same entry was gone before the sweep.
    const isHeld = ({ sid, qty }: PositionDescription) =>
      qty !== 0 && after.series[sid]!.status !== 'settled';
    const symbols = before.accounts[account.index]!.positions.filter(isHeld).map(
      ({ sid }) => before.series[sid]!.seriesId.split('-')[0]!,
    );
    assert.ok(
      !symbols.some((one) => stopped.includes(one)),
      `account ${account.index} is liquidated in a jump`,
    );
  }
}
