/** Advice on an answer, under the venue's own words, and a button that follows it. Loaded with the first order. */

import { microsToDecimal } from '@venue/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { formatPrice, qtyFieldText } from '../../basics/numbers.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { showPanel } from '../../view/show-panel.ts';
import type { Advice } from './core/form/advice.ts';
import { adviceText } from './core/form/advice-text.ts';
import { restingCount } from './core/form/in-the-way.ts';
import type { OrderAdvice } from './core/form/order.ts';
import { GAVE_UP } from './core/form/order-flight.ts';
import type { TicketDesk } from './core/ticket/desk.ts';

/** The acts of its buttons on the order. */
export type Acts = Pick<TicketDesk, 'edit' | 'lookAgain' | 'callOff' | 'send'>;

interface AdviceLineProps {
  readonly given: OrderAdvice | null;
  /** Advice on the preview's refusal. */
  readonly early: Advice | null;
  /** True for an order on its way, which no press can change. */
  readonly isSent: boolean;
  readonly desk: Acts;
}

export function AdviceLine({ given, early, isSent, desk }: AdviceLineProps): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  if (given?.advice.kind === 'wait') return <Countdown untilMs={given.atMs + given.advice.ms} />;
  const advice = given?.advice ?? early;
  if (advice === null) return null;
  return (
    <p>
      {adviceText(advice, { canDeposit: mode === 'deposits' })}{' '}
      <AdviceButton {...{ advice, isSent, desk }} hasGivenUp={given?.text === GAVE_UP} />
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

interface AdviceButtonProps extends Pick<AdviceLineProps, 'isSent' | 'desk'> {
  readonly advice: Advice;
  /** True once the page looks for the order no more. */
  readonly hasGivenUp: boolean;
}

function AdviceButton({ advice, hasGivenUp, isSent, desk }: AdviceButtonProps): ReactNode {
  const { actions, stores } = useTerminal();
  switch (advice.kind) {
    case 'deposit':
      return <DepositButton />;
    case 'unknown-outcome':
      return hasGivenUp ? <LookAgainButton onPress={() => void desk.lookAgain()} /> : null;
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
