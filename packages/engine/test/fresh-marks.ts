/** Compares what a state remembers of marks and risk with what one without a memory works out. */

import assert from 'node:assert/strict';
import { exactRiskOf, riskOf } from '../src/risk/margin.ts';
import { markParts, positionMarkMicros } from '../src/risk/risk-marks.ts';
import { restoreState, stateLines } from '../src/snapshot.ts';
import type { State } from '../src/state/state.ts';
import type { Venue } from './venue.ts';

/** Returns the state that was restored for it, which has worked out these marks and every account's risk. */
export function checkFreshMarks(venue: Venue, names: readonly string[]): State {
  const { state } = venue;
  const fresh = restoreState(stateLines(state));
  for (const name of names) {
    const series = venue.series(name);
    const ofFresh = fresh.series[series.sid]!;
    assert.equal(positionMarkMicros(state, series), positionMarkMicros(fresh, ofFresh), `mark of ${name}`);
    assert.deepEqual(markParts(state, series), markParts(fresh, ofFresh), `mark of ${name}`);
  }
  for (const { index } of state.accounts) {
    const [kept, exact] = [riskOf(state, state.accounts[index]!), exactRiskOf(fresh, fresh.accounts[index]!)];
    assert.deepEqual(kept, exact, `account ${index}`);
  }
  return fresh;
}
