/** The ticket's message about its order: the venue's answer in its own words, and what can be done about it. */

import { microsToDecimal } from '@venue/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { qtyText } from '../core/chain/step.ts';
import { formatPrice } from '../core/numbers.ts';
import type { TicketAdvice, Ticket as TicketState } from '../core/stores.ts';
import { GAVE_UP } from '../core/ticket/desk.ts';
import { type Advice, adviceText } from '../core/ticket/order-errors.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';

/** Its space is always reserved, so that nothing moves. */
export function Verdict({ ticket }: { readonly ticket: TicketState }): ReactNode {
  const { stores, desk } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const early = ticket.advice === null ? desk.adviceOnPreview(ticket) : null;
  const canDeposit = mode === 'deposits';
  const reason = ticket.advice?.text ?? ticket.preview?.reason ?? null;
  return (
    <div className="verdict" data-tone={ticket.cautions.length > 0 ? 'caution' : 'plain'}>
      {ticket.cautions.map((caution) => (
        <strong key={caution}>{caution}</strong>
      ))}
      {reason !== null && ticket.cautions.length === 0 && <strong>{reason}</strong>}
      {ticket.advice !== null && <AdviceLine given={ticket.advice} canDeposit={canDeposit} />}
      {early !== null && <AdviceText advice={early} canDeposit={canDeposit} />}
    </div>
  );
}

function AdviceLine({
  given,
  canDeposit,
}: {
  readonly given: TicketAdvice;
  readonly canDeposit: boolean;
}): ReactNode {
  const { advice, atMs } = given;
  if (advice.kind === 'wait') return <Countdown untilMs={atMs + advice.ms} />;
  return <AdviceText advice={advice} canDeposit={canDeposit} />;
}

interface AdviceTextProps {
  readonly advice: Advice;
  readonly canDeposit: boolean;
}

function AdviceText({ advice, canDeposit }: AdviceTextProps): ReactNode {
  return (
    <p>
      {adviceText(advice, { canDeposit })} <AdviceButton advice={advice} />
    </p>
  );
}

/** The person sends again: the page never retries by itself. */
function Countdown({ untilMs }: { readonly untilMs: number }): ReactNode {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const leftS = Math.max(0, Math.ceil((untilMs - nowMs) / 1_000));
  return <p>{leftS > 0 ? `Too many requests. Try again in ${leftS} s.` : 'You can try again now.'}</p>;
}

function AdviceButton({ advice }: { readonly advice: TicketAdvice['advice'] }): ReactNode {
  const { desk, actions, stores } = useTerminal();
  switch (advice.kind) {
    case 'deposit':
      return <DepositButton />;
    case 'unknown-outcome':
      return <LookAgainButton />;
    case 'approve':
    case 'sign-in':
      return null;
    case 'reduce-only':
      return (
        <button type="button" onClick={() => stores.view.setState({ panel: 'Account', isOnPanel: true })}>
          Show the account
        </button>
      );
    case 'lower-qty': {
      const { maxQtyMicros } = advice;
      if (maxQtyMicros === null) return null;
      const most = qtyText(microsToDecimal(maxQtyMicros));
      return (
        <button type="button" onClick={() => desk.edit({ qty: most })}>
          Take {most}
        </button>
      );
    }
    case 'margin-off':
      return (
        <button type="button" onClick={() => actions.setMargin(true)}>
          Turn on margin
        </button>
      );
    case 'make-limit': {
      const { priceMicros } = advice;
      if (priceMicros === null) return null;
      const price = formatPrice(microsToDecimal(priceMicros));
      return (
        <button type="button" onClick={() => desk.edit({ kind: 'limit', price })}>
          Limit at {price}
        </button>
      );
    }
    default:
      return null;
  }
}

/** Only where deposits exist. */
function DepositButton(): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  if (mode !== 'deposits') return null;
  return (
    <button type="button" onClick={() => stores.view.setState({ panel: 'Funds', isOnPanel: true })}>
      Deposit
    </button>
  );
}

/** Shown once the page has given up. */
function LookAgainButton(): ReactNode {
  const { stores, desk } = useTerminal();
  const text = useStore(stores.ticket, ({ advice }) => advice?.text);
  if (text !== GAVE_UP) return null;
  return (
    <button type="button" onClick={() => void desk.lookAgain()}>
      Look again
    </button>
  );
}
