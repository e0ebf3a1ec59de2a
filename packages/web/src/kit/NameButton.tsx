/** The name of a contract or an underlying as a button, which chooses it: chain, ticket and chart show it. */

import { parseSeriesId } from '@venue/protocol';
import type { ReactNode } from 'react';
import { seriesLabel } from '../market/series-label.ts';
import { type Terminal, useTerminal } from '../terminal/terminal.ts';
import './TextButton.css';

interface NameButtonProps {
  /** The id of a series, or a symbol. */
  readonly name: string;
}

export function NameButton({ name }: NameButtonProps): ReactNode {
  const terminal = useTerminal();
  return (
    <button type="button" className="text-button" onClick={() => showContract(terminal, name)}>
      {seriesLabel(name)}
    </button>
  );
}

/** Goes by the address, which also says when the name is no longer listed. */
export function showContract({ stores }: Pick<Terminal, 'stores'>, name: string): void {
  if (parseSeriesId(name) !== undefined)
    stores.view.setState(({ contractAsks }) => ({ contractAsks: contractAsks + 1 }));
  location.hash = name;
}
