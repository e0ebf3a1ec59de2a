/** Runs tables about quote sets, and holds what must be true after each of them. */

import assert from 'node:assert/strict';
import { brokenInvariants } from '../src/invariants.ts';
import { restoreState, stateDigest, stateLines } from '../src/snapshot.ts';
import { scenario } from './scenario.ts';
import { micros, Venue } from './venue.ts';

interface Setting {
  readonly paperCash?: string;
  readonly houseLine?: string;
  readonly fundingMode?: 'deposits';
  /** A venue to go on with. */
  readonly venue?: Venue;
}

/** Runs a table; the state must pass its invariants and come back from its own lines. */
export function onSets(table: string, { paperCash, houseLine, fundingMode, venue }: Setting = {}): Venue {
  const setting =
    venue ??
    Venue.listed({
      ...(paperCash !== undefined && { paperCashMicros: micros(paperCash) }),
      ...(fundingMode !== undefined && { fundingMode }),
      ...(houseLine !== undefined && { houseLineMicros: micros(houseLine) }),
    });
  scenario(table, setting);
  assert.deepEqual([...brokenInvariants(setting.state)], []);
  const lines = [...stateLines(setting.state)];
  assert.equal(stateDigest(restoreState(lines)), stateDigest(setting.state), 'a snapshot differs');
  return setting;
}
