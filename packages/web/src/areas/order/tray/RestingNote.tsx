/** Own resting orders that close the same contracts as the tray's order: it leaves them, and says so. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../../../terminal/terminal.ts';
import { restingCount } from '../core/form/in-the-way.ts';
import { restingBeyond } from '../core/tray/resting-beyond.ts';
import type { TrayTerms } from '../core/tray/terms.ts';

/** Nothing where none rests. */
export function RestingNote({ terms }: { readonly terms: TrayTerms }): ReactNode {
  const { stores, actions } = useTerminal();
  const holdings = useStore(stores.holdings, (all) => all);
  const resting = restingBeyond(terms, holdings);
  if (resting.length === 0) return null;
  const [isOne, count] = [resting.length === 1, restingCount(resting.length)];
  return (
    <p className="tray-note">
      {count} on these contracts {isOne ? 'stays' : 'stay'}, and would open{' '}
      {isOne ? 'a position' : 'positions'} once these are closed.{' '}
      <button
        type="button"
        onClick={() => {
          for (const { id } of resting) actions.cancelOrder(id);
        }}
      >
        Cancel {isOne ? 'it' : 'them'}
      </button>
    </p>
  );
}
