/** Begins the tour, which there is on paper money alone. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../terminal/terminal.ts';

export function TourButton(): ReactNode {
  const { stores } = useTerminal();
  const isPaper = useStore(stores.link, ({ mode }) => mode === 'paper');
  const isOnTour = useStore(stores.view, (view) => view.isOnTour);
  if (!isPaper) return null;
  return (
    <p>
      <button
        type="button"
        className="chip"
        disabled={isOnTour}
        onClick={() => stores.view.setState({ isOnTour: true, isHelpOpen: false })}
      >
        Take the tour
      </button>{' '}
      <span className="muted">Four steps, on paper money.</span>
    </p>
  );
}
