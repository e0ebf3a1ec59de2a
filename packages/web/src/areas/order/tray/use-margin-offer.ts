/** The offer of defined-risk margin for an order, read from the venue when order or account change. */

import { useEffect, useState } from 'react';
import { venueNowMs } from '../../../market/clock.ts';
import { useStore, useTerminal } from '../../../terminal/terminal.ts';
import { imaginedLegs, type MarginOffer, marginOffer } from '../core/tray/margin-offer.ts';
import type { TrayTerms } from '../core/tray/terms.ts';

/** Since the last change of the legs or of the quantity. */
const WAIT_MS = 300;

/** Null while the venue has not answered, and where there is nothing to offer. The net price has no part in it. */
export function useMarginOffer(terms: Pick<TrayTerms, 'legs' | 'qty'> | null): MarginOffer | null {
  const { client, stores, take } = useTerminal();
  const [found, setFound] = useState<{ readonly key: string; readonly offer: MarginOffer | null } | null>(
    null,
  );
  const isReady = useStore(stores.session, ({ state }) => state === 'ready');
  const stamp = useStore(stores.holdings, ({ account, marginMode }) =>
    [account?.cash, account?.openOrderCount, account?.marginEnabled, marginMode].join(' '),
  );
  const legs = terms === null || !isReady ? null : imaginedLegs(terms);
  const key = legs === null ? null : JSON.stringify([legs, stamp]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of the legs
  useEffect(() => {
    if (key === null || legs === null) return undefined;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      if (!take()) {
        timer = setTimeout(() => void ask(), WAIT_MS);
        return;
      }
      // A leg without a mark cannot be imagined.
      const answer = await client.account.simulate({ legs }).catch(() => null);
      if (isGone) return;
      setFound({ key, offer: answer === null ? null : marginOffer(answer, venueNowMs(stores.link)) });
    };
    timer = setTimeout(() => void ask(), WAIT_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [client, stores, take, key]);
  return found !== null && found.key === key ? found.offer : null;
}
