/** The account as the venue answers it at one moment, read again while a what-if is shown. */

import { useEffect, useState } from 'react';
import { venueNowMs } from '../../market/clock.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { type Book, bookOf } from './core/book.ts';

const READ_EVERY_MS = 3_000;

export interface ReadBook {
  /** Null before the first, and without a session. */
  readonly book: Book | null;
  /** True if the venue did not answer the last read. */
  readonly isOld: boolean;
}

const NONE: ReadBook = { book: null, isOld: false };

/** Read at once when the account trades, or another one signs in. */
export function useBook(): ReadBook {
  const { client, stores, take } = useTerminal();
  const [read, setRead] = useState(NONE);
  const address = useStore(stores.session, (session) => (session.state === 'ready' ? session.address : null));
  const stamp = useStore(stores.holdings, ({ account }) =>
    [account?.cash, account?.openOrderCount, account?.marginEnabled].join(' '),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the account's figures are what a new read is for
  useEffect(() => {
    if (address === null) {
      setRead(NONE);
      return undefined;
    }
    let isGone = false;
    const readNow = async () => {
      if (stores.link.getState().state === 'offline' || document.hidden || !take()) return;
      const answer = await client.account.simulate({}).catch(() => null);
      if (isGone) return;
      if (answer === null) setRead(({ book }) => ({ book, isOld: true }));
      // Another account may have signed in while the answer was on its way.
      else if (answer.account.address === address)
        setRead({ book: bookOf(answer, venueNowMs(stores.link)), isOld: false });
    };
    void readNow();
    const timer = setInterval(() => void readNow(), READ_EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [client, stores, take, address, stamp]);
  return read;
}
