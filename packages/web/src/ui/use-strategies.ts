/** The strategies in what is held, read again when a quantity changes or a combo was traded, and not with every mark. */

import { useMemo } from 'react';
import { knownCombos } from '../core/account/known-combos.ts';
import { type Holding, type Recognised, strategiesOf } from '../core/account/strategies.ts';
import { useCombos } from './use-combos.ts';

/** Null unless they are wanted; `reading` while the account's orders are not there yet. */
export function useStrategies(
  positions: readonly Holding[],
  isWanted: boolean,
): Recognised | 'reading' | null {
  const held = isWanted ? positions.map(({ seriesId, qty }) => `${seriesId} ${qty}`).join() : null;
  const combos = useCombos(held === '' ? null : held);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content says all that they are recognised by
  return useMemo(() => {
    if (held === null) return null;
    return combos === null ? 'reading' : strategiesOf(positions, Date.now(), knownCombos(combos));
  }, [held, combos]);
}
