/** About what the ticket's contract pays, while the last half hour of its expiry is averaged. */

import type { ReactNode } from 'react';
import { settlesText } from '../../market/settles-near.ts';
import { useSettlesNearNow } from '../../terminal/use-settles-near.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';

export function SettlesNear({ seriesId }: { readonly seriesId: string }): ReactNode {
  const settlesNear = useSettlesNearNow();
  useVenueNow();
  const near = settlesNear(seriesId);
  return near === null ? null : <p className="settles-near">{settlesText(seriesId, near)}</p>;
}
