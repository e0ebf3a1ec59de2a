/** Says that another venue answers at this address, which ends trading here until the person takes it (VEN-1). */

import type { ReactNode } from 'react';
import { OTHER_VENUE } from '../basics/failure-words.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import '../areas/account/MarginBanner.css';

export function OtherVenueBanner(): ReactNode {
  const { stores, actions } = useTerminal();
  const { isOtherVenue, reason } = useStore(stores.link, (link) => link);
  if (!isOtherVenue) return null;
  return (
    <p className="margin-banner" data-level="red" data-testid="other-venue" title={reason ?? undefined}>
      <strong>{OTHER_VENUE}</strong>
      <button type="button" onClick={() => actions.takeOtherVenue()}>
        Forget the old key and use this venue
      </button>
    </p>
  );
}
