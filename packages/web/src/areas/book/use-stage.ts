/** The stage of held contracts, by the venue's clock. */

import type { Position } from '@venue/protocol';
import { heldStage } from '../../market/expiry-stage.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';

export type StageOf = (position: Position) => ReturnType<typeof heldStage>;

export function useStage(): StageOf {
  const { stores } = useTerminal();
  const inReview = useStore(stores.listing, (listing) => listing.inReview);
  const nowMs = useVenueNow();
  return (position) => heldStage(position, { inReview, nowMs });
}
