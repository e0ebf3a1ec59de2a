/** The strategies in what is held, read again when a quantity changes and not with every mark. */

import { useMemo } from 'react';
import { type Holding, type Recognised, strategiesOf } from '../core/account/strategies.ts';

/** Null unless they are wanted. */
export function useStrategies(positions: readonly Holding[], isWanted: boolean): Recognised | null {
  const content = isWanted ? positions.map(({ seriesId, qty }) => `${seriesId} ${qty}`).join() : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content says all that they are recognised by
  return useMemo(() => (content === null ? null : strategiesOf(positions, Date.now())), [content]);
}
