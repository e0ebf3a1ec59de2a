/** The part of each short that a liquidation buys back: all of it, or as much as no long covers (DRM-4). */

import { type Micros, toMicros } from '@venue/protocol';
import { uncoveredMicros } from '../risk/coverage.ts';
import type { Account } from '../state/account.ts';
import type { Position } from '../state/positions.ts';
import type { State } from '../state/state.ts';

export interface ExposedShort {
  readonly position: Position;
  readonly qtyMicros: Micros;
}

/** In listing order. */
export function exposedShorts(state: State, account: Account): ExposedShort[] {
  const uncovered = account.marginMode === 'per-leg' ? null : uncoveredMicros(state, account);
  return [...account.positions]
    .map((position) => ({ position, qtyMicros: exposedMicros(position, uncovered) }))
    .filter(({ qtyMicros }) => qtyMicros > 0)
    .sort((a, b) => a.position.sid - b.position.sid);
}

function exposedMicros({ sid, qtyMicros }: Position, uncovered: ReadonlyMap<number, number> | null): Micros {
  return toMicros(uncovered === null ? Math.max(0, -qtyMicros) : (uncovered.get(sid) ?? 0));
}
