/** Puts a contract or an underlying on the watch list, and takes it off again. */

import { type ReactNode, use } from 'react';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';

export function WatchStar({ name }: { readonly name: string }): ReactNode {
  const { watchDesk } = useTerminal();
  const desk = use(watchDesk());
  const isWatched = useStore(desk.watched, ({ names }) => names.includes(name));
  return (
    <button
      type="button"
      className="close"
      title="Watch (W)"
      aria-label={`Watch ${seriesLabel(name)}`}
      aria-pressed={isWatched}
      onClick={() => void desk.toggle(name)}
    >
      {isWatched ? '★' : '☆'}
    </button>
  );
}
