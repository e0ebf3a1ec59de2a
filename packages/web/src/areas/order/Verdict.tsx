/** The message about an order: the venue's answer in its own words, and what can be done about it. */

import { type ReactNode, Suspense } from 'react';
import { later } from '../../kit/later.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { Acts } from './AdviceLine.tsx';
import type { Advice } from './core/form/advice.ts';
import { NOT_ASKED, type Order } from './core/form/order.ts';

const AdviceLine = later(async () => (await import('./AdviceLine.tsx')).AdviceLine);

interface VerdictProps {
  readonly order: Pick<Order, 'advice' | 'cautions' | 'preview' | 'sending'>;
  /** Advice on the preview's refusal. */
  readonly early: Advice | null;
  /** True where margin is offered below, which says what the venue's refusal says, and what to do about it. */
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
  const linkState = useStore(stores.link, (link) => link.state);
  const isSent = order.sending !== 'no';
  // Its advice says the same in the trade's words.
  const isToldByAdvice = (order.advice?.advice ?? early)?.kind === 'margin-off';
  const reason = isToldByAdvice ? null : (order.advice?.text ?? order.preview?.reason ?? null);
  return (
    <div className="verdict" data-tone={order.cautions.length > 0 ? 'caution' : 'plain'}>
      {order.cautions.map((caution) => (
        <strong key={caution}>{caution}</strong>
      ))}
      {reason !== null && order.cautions.length === 0 && <strong>{reason}</strong>}
      <Suspense fallback={null}>
        <AdviceLine given={order.advice} {...{ early, isSent, desk }} />
      </Suspense>
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
