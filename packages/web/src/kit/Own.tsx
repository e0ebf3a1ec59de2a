/** A frame around what belongs to the account: its content once the venue has told of it, else why not (TERM-21). */

import { type ReactNode, Suspense } from 'react';
import { ownState, unknownWords } from '../session/own-state.ts';
import type { Holdings } from '../session/state.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { LOADING, later } from './later.tsx';

const Ended = later(async () => (await import('./Ended.tsx')).Ended);

interface OwnProps {
  /** As `your positions`. */
  readonly what: string;
  /** For what is drawn from these alone: how much there is, to stand dimmed once a session has ended. */
  readonly outlasts?: (holdings: Holdings) => number;
  readonly children: ReactNode;
}

export function Own({ what, outlasts, children }: OwnProps): ReactNode {
  const { stores } = useTerminal();
  const session = useStore(stores.session, ({ state }) => state);
  const link = useStore(stores.link, ({ state }) => state);
  const isKept = useStore(stores.past, (past) => (outlasts?.(past) ?? 0) > 0);
  const isTold = useStore(stores.holdings, ({ account }) => account !== null);
  const state = ownState({ session, link, isTold });
  if (state === 'known') return children;
  if (state !== 'ended') return <p className="muted">{unknownWords(state, { what, as: null })}</p>;
  return (
    <Suspense fallback={LOADING}>
      <Ended what={what}>{isKept && children}</Ended>
    </Suspense>
  );
}
