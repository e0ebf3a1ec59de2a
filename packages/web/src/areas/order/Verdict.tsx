/** The message about an order: the venue's answer in its own words, and what can be done about it. */

import { microsToDecimal } from '@venue/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { formatPrice, qtyFieldText } from '../../basics/numbers.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { showPanel } from '../../view/show-panel.ts';
import { type Advice, adviceText } from './core/form/advice.ts';
import { restingCount } from './core/form/in-the-way.ts';
import { NOT_ASKED, type Order, type OrderAdvice } from './core/form/order.ts';
import { GAVE_UP } from './core/form/order-flight.ts';
import type { TicketDesk } from './core/ticket/desk.ts';

/** What the message's buttons do to the order. */
type Acts = Pick<TicketDesk, 'edit' | 'lookAgain' | 'callOff' | 'send'>;

interface VerdictProps {
  readonly order: Pick<Order, 'advice' | 'cautions' | 'preview' | 'sending'>;
  /** Advice on the preview's refusal. */
  readonly early: Advice | null;
  /** Margin is offered below, which says what the venue's refusal says, and what to do about it. */
  readonly isOffered: boolean;
  readonly desk: Acts;
  /** Shown below the rest. */
  readonly children?: ReactNode;
}

/** Stands over the line of the outcome, so that nothing below moves as it comes and goes. */
export function Verdict({ isOffered, ...props }: VerdictProps): ReactNode {
  const { desk, children } = props;
  const early = isOffered ? null : props.early;
  const order = isOffered ? { ...props.order, ...NOT_ASKED } : props.order;
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const linkState = useStore(stores.link, (link) => link.state);
  // No press can change an order on its way.
  const isSent = order.sending !== 'no';
  const shared = { canDeposit: mode === 'deposits', isSent, desk };
  // Its advice says the same in the trade's words.
  const isToldByAdvice = (order.advice?.advice ?? early)?.kind === 'margin-off';
  const reason = isToldByAdvice ? null : (order.advice?.text ?? order.preview?.reason ?? null);
  return (
    <div className="verdict" data-tone={order.cautions.length > 0 ? 'caution' : 'plain'}>
      {order.cautions.map((caution) => (
        <strong key={caution}>{caution}</strong>
      ))}
      {reason !== null && order.cautions.length === 0 && <strong>{reason}</strong>}
      {order.advice !== null && <AdviceLine given={order.advice} {...shared} />}
      {order.advice === null && early !== null && <AdviceText advice={early} text={null} {...shared} />}
      {isSent && linkState !== 'live' && (
        <p>
          <button type="button" onClick={() => desk.callOff()}>
            Do not send
          </button>
        </p>
      )}
      {children}
    </div>
  );
}

interface SharedProps {
  readonly canDeposit: boolean;
  readonly isSent: boolean;
  readonly desk: Acts;
}

function AdviceLine({ given, ...shared }: SharedProps & { readonly given: OrderAdvice }): ReactNode {
  const { advice, atMs, text } = given;
  if (advice.kind === 'wait') return <Countdown untilMs={atMs + advice.ms} />;
  return <AdviceText {...{ advice, text }} {...shared} />;
}

interface AdviceTextProps extends SharedProps {
  readonly advice: Advice;
  /** The message that the advice is about; null for a preview's. */
  readonly text: string | null;
}

function AdviceText({ advice, canDeposit, ...rest }: AdviceTextProps): ReactNode {
  return (
    <p>
      {adviceText(advice, { canDeposit })} <AdviceButton advice={advice} {...rest} />
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

function AdviceButton({ advice, text, isSent, desk }: Omit<AdviceTextProps, 'canDeposit'>): ReactNode {
  const { actions, stores } = useTerminal();
  switch (advice.kind) {
    case 'deposit':
      return <DepositButton />;
    case 'unknown-outcome':
      return text === GAVE_UP ? <LookAgainButton onPress={() => void desk.lookAgain()} /> : null;
    case 'approve':
    case 'sign-in':
      return null;
    case 'reduce-only':
      return (
        <button type="button" onClick={() => showPanel(stores, 'Account')}>
          Show the account
        </button>
      );
    case 'cancel-first':
      return (
        <button type="button" disabled={isSent} onClick={() => void desk.send({ cancelsFirst: true })}>
          Cancel {restingCount(advice.orders)} and close
        </button>
      );
    case 'lower-qty': {
      const { maxQtyMicros } = advice;
      if (maxQtyMicros === null) return null;
      const most = qtyFieldText(microsToDecimal(maxQtyMicros));
      return (
        <button type="button" disabled={isSent} onClick={() => desk.edit({ qty: most })}>
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
        <button type="button" disabled={isSent} onClick={() => desk.edit({ kind: 'limit', price })}>
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
    <button type="button" onClick={() => showPanel(stores, 'Funds')}>
      Deposit
    </button>
  );
}

/** Shown once the page has given up. */
function LookAgainButton({ onPress }: { readonly onPress: () => void }): ReactNode {
  return (
    <button type="button" onClick={onPress}>
      Look again
    </button>
  );
}
