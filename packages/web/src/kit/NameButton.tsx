/** The name of a contract or an underlying as a button, which chooses it: chain, ticket and chart show it. */

import { parseSeriesId } from '@venue/protocol';
import type { ReactNode } from 'react';
import { seriesLabel } from './series-label.ts';
import { useTerminal } from './terminal.ts';
import './TextButton.css';

interface NameButtonProps {
  /** The id of a series, or a symbol. */
  readonly name: string;
}

/** Goes by the address, which also says when the name is no longer listed. */
export function NameButton({ name }: NameButtonProps): ReactNode {
  const { stores } = useTerminal();
  return (
    <button
      type="button"
      className="text-button"
      onClick={() => {
        if (parseSeriesId(name) !== undefined)
          stores.view.setState(({ contractAsks }) => ({ contractAsks: contractAsks + 1 }));
        location.hash = name;
      }}
    >
      {seriesLabel(name)}
    </button>
  );
}
