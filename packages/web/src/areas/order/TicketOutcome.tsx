/** The outcome of the ticket's order over its button, always in sight. */

import { parseSeriesId } from '@venue/protocol';
import type { ReactNode } from 'react';
import { Amounts } from '../../kit/Amounts.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useEstimate } from '../../terminal/use-settles-near.ts';
import { contractOf, type Ticket } from './core/form/order.ts';
import { termsOf } from './core/ticket/terms.ts';
import { ticketOutcome } from './core/ticket/ticket-outcome.ts';

interface TicketOutcomeProps {
  readonly ticket: Ticket;
  /** Dollars, NaN without a quote. */
  readonly mark: number;
}

export function TicketOutcome({ ticket, mark }: TicketOutcomeProps): ReactNode {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const terms = parseSeriesId(contractOf(ticket) ?? '');
  const estimate = useEstimate(terms?.symbol ?? '', terms?.expiryTs ?? 0);
  const { preview, isClosing } = ticket;
  const order = termsOf(ticket);
  const line =
    order === null
      ? ''
      : ticketOutcome({ terms: order.terms, preview, mark, isClosing }, positions, estimate);
  return (
    <p className="order-outcome">
      <Amounts text={line} />
    </p>
  );
}
