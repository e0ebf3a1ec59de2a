/** The page's two live regions: a polite one for orders and the link, an assertive one for a margin call. */

import { type ReactNode, useEffect } from 'react';
import { OTHER_VENUE } from '../../basics/failure-words.ts';
import type { LinkState } from '../../market/state.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';

const TOLD: Partial<Record<LinkState, string>> = {
  stale: 'Prices are stale. Market orders wait until they are fresh.',
  offline: 'Offline. The page goes on by itself when the venue answers.',
};

export function Announcer(): ReactNode {
  const { stores } = useTerminal();
  const announcements = useStore(stores.announcements, (state) => state);
  useEffect(() => {
    const stops = [
      stores.notices.subscribe(({ list }, before) => {
        const [newest] = list;
        if (newest !== undefined && newest !== before.list[0])
          stores.announcements.setState({ polite: `${newest.title}. ${newest.text}` });
      }),
      stores.link.subscribe(({ state, isOtherVenue }, before) => {
        if (isOtherVenue && !before.isOtherVenue) stores.announcements.setState({ assertive: OTHER_VENUE });
        if (isOtherVenue || state === before.state) return;
        const isBack = state === 'live' && before.state in TOLD;
        const polite = isBack ? 'Live again.' : TOLD[state];
        if (polite !== undefined) stores.announcements.setState({ polite });
      }),
      stores.ticket.subscribe(({ advice }, before) => {
        if (advice !== null && advice !== before.advice)
          stores.announcements.setState({ polite: advice.text });
      }),
      stores.holdings.subscribe(({ account }, before) => {
        if (account?.marginCall === true && before.account?.marginCall !== true)
          stores.announcements.setState({
            assertive: 'Margin call. The red banner shows how to clear it.',
          });
        if (account?.marginCall === false && before.account?.marginCall === true)
          stores.announcements.setState({ assertive: 'The margin call is over.' });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stores]);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite" data-testid="polite">
        {announcements.polite}
      </div>
      <div className="visually-hidden" role="alert" aria-live="assertive" data-testid="assertive">
        {announcements.assertive}
      </div>
    </>
  );
}
