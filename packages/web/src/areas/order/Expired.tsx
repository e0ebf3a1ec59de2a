/** The ticket of a contract whose cutoff has passed. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import { expiredWords } from './core/ticket/expired-words.ts';

export function Expired({ seriesId }: { readonly seriesId: string }): ReactNode {
  const { stores } = useTerminal();
  const settlements = useStore(stores.listing, (listing) => listing.settlements);
  const fills = useStore(stores.holdings, (holdings) => holdings.fills);
  useAnnouncement('The contract of the ticket has expired.');
  return (
    <div className="ticket-body">
      <p>
        <strong>This contract has expired.</strong> {expiredWords(seriesId, settlements, fills)}
      </p>
    </div>
  );
}
