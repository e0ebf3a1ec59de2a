/** Delta and implied volatility beside the ticket's price. */

import type { ReactNode } from 'react';
import { formatDelta, formatIv, UNKNOWN } from '../../basics/numbers.ts';
import { Term } from '../../kit/Term.tsx';

interface TicketFiguresProps {
  /** NaN while unknown. */
  readonly delta: number;
  /** A fraction; NaN or 0 while unknown, and then the delta is too. */
  readonly iv: number;
}

export function TicketFigures({ delta, iv }: TicketFiguresProps): ReactNode {
  return (
    <>
      <div>
        <dt>
          <Term of="delta">Delta</Term>
        </dt>
        <dd>{iv > 0 ? formatDelta(delta) : UNKNOWN}</dd>
      </div>
      <div>
        <dt>
          <Term of="implied volatility">IV</Term>
        </dt>
        <dd>{iv > 0 ? formatIv(iv) : UNKNOWN}</dd>
      </div>
    </>
  );
}
