/** Says that another venue answers at this address, which ends trading here until the person takes it (VEN-1). */

import type { ReactNode } from 'react';
import styles from '../areas/account/MarginBanner.module.css';
import { OTHER_VENUE } from '../basics/failure-words.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';

export function OtherVenueBanner(): ReactNode {
  const { stores, actions } = useTerminal();
  const { isOtherVenue, reason } = useStore(stores.link, (link) => link);
  if (!isOtherVenue) return null;
  return (
    <p className={styles.marginBanner} data-level="red" data-testid="other-venue" title={reason ?? undefined}>
      <strong>{OTHER_VENUE}</strong>
      <button type="button" onClick={() => actions.takeOtherVenue()}>
        Forget the old key and use this venue
      </button>
    </p>
  );
}
