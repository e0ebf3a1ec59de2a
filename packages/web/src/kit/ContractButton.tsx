/** A contract's name as a button, which chooses the contract: chain, ticket and chart show it. */

import type { ReactNode } from 'react';
import { seriesLabel } from './series-label.ts';
import { useTerminal } from './terminal.ts';
import './ContractButton.css';

/** Goes by the address, which also says when the contract is no longer listed. */
export function ContractButton({ seriesId }: { readonly seriesId: string }): ReactNode {
  const { stores } = useTerminal();
  return (
    <button
      type="button"
      className="contract-name"
      onClick={() => {
        stores.view.setState(({ contractAsks }) => ({ contractAsks: contractAsks + 1 }));
        location.hash = seriesId;
      }}
    >
      {seriesLabel(seriesId)}
    </button>
  );
}
