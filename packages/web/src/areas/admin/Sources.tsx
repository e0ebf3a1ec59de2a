/** The report of each price source for an expiry. */

import type { SettlementSource } from '@venue/protocol';
import type { ReactNode } from 'react';
import { formatPrice, UNKNOWN } from '../../basics/numbers.ts';
import { instantText } from './instant-text.ts';
import { Table } from './Table.tsx';

export function Sources({ sources }: { readonly sources: readonly SettlementSource[] }): ReactNode {
  if (sources.length === 0) return <p className="muted">No source had a price.</p>;
  return (
    <Table name="Sources" heads={['Source', 'Average', 'Counted', 'Last', 'Last print']}>
      {sources.map(({ source, average, fresh, last, lastTs }) => (
        <tr key={source}>
          <th scope="row">{source}</th>
          <td>{average === null ? UNKNOWN : formatPrice(average)}</td>
          <td className={fresh ? '' : 'fault'}>{fresh ? 'yes' : 'no'}</td>
          <td>{formatPrice(last)}</td>
          <td>{instantText(lastTs)}</td>
        </tr>
      ))}
    </Table>
  );
}
