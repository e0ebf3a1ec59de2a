/** The strategies in what is held, read again when a quantity changes or an order was traded, and not with every mark. */

import { useMemo } from 'react';
import { lotsOf } from './core/lots.ts';
import { type Holding, type Recognised, strategiesOf } from './core/strategies.ts';
import { useTraded } from './use-traded.ts';

/** Null unless they are wanted; `reading` while the account's orders are not there yet. */
export function useStrategies(
  positions: readonly Holding[],
  isWanted: boolean,
): Recognised | 'reading' | null {
  const held = isWanted ? positions.map(({ seriesId, qty }) => `${seriesId} ${qty}`).join() : null;
  const traded = useTraded(held === '' ? null : held);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content says all that they are recognised by
  return useMemo(() => {
    if (held === null) return null;
    if (traded === null) return 'reading';
    const nowMs = Date.now();
    return strategiesOf(positions, nowMs, lotsOf(traded, positions, nowMs));
  }, [held, traded]);
}
