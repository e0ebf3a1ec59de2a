/** The stage of held contracts, by the venue's clock. */

import type { Position } from '@venue/protocol';
import { heldStage } from '../core/chain/expiry-stage.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { useVenueNow } from './use-venue-now.ts';

export type StageOf = (position: Position) => ReturnType<typeof heldStage>;

export function useStage(): StageOf {
  const { stores } = useTerminal();
  const inReview = useStore(stores.listing, (listing) => listing.inReview);
  const nowMs = useVenueNow();
  return (position) => heldStage(position, { inReview, nowMs });
}
