/** Everything that one person has begun, or the venue refused, and another person has to finish. */

import type { Held, OpenProposal, OperatorPayout } from '@venue/protocol';
import type { Watched } from './admin-console.ts';
import type { Review } from './review.ts';

export interface Waiting {
  readonly reviews: readonly Review[];
  readonly proposals: readonly OpenProposal[];
  /** Above the limits, and not yet carried out. */
  readonly payouts: readonly OperatorPayout[];
  readonly held: readonly Held[];
  readonly count: number;
}

export function waitingOf({ reviews, exposure: { proposals }, money }: Watched): Waiting {
  const payouts = (money?.payouts ?? []).filter(({ state, waits }) => state === 'requested' && waits);
  const held = money?.held ?? [];
  return {
    ...{ reviews, proposals, payouts, held },
    count: reviews.length + proposals.length + payouts.length + held.length,
  };
}
