/** Closes every position with two presses: the first reads the prices and says what would be sent, the second sends it. */

import type { Position } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../basics/failure-words.ts';
import { formatSize } from '../../basics/numbers.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import styles from './CloseAll.module.css';
import {
  type ClosePlan,
  closeActions,
  closedWords,
  closeText,
  closeTitle,
  planClose,
} from './core/close-all.ts';

export function CloseAll({ positions }: { readonly positions: readonly Position[] }): ReactNode {
  const { actions } = useTerminal();
  const [plan, setPlan] = useState<ClosePlan | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const readPlan = usePlan(positions);
  useAnnouncement(plan === null ? fault : `${planText(plan)} Nothing is sent yet.`);
  const ask = () =>
    readPlan().then(
      (read) => {
        setPlan(read);
        setFault(null);
      },
      (error: unknown) => setFault(`The prices could not be read: ${messageOf(error)}.`),
    );
  if (plan === null)
    return (
      <>
        <button type="button" onClick={() => void ask()}>
          Close all {positions.length} at market…
        </button>
        {fault !== null && <span className="fault">{fault}</span>}
      </>
    );
  return (
    <Confirm
      plan={plan}
      onSend={() =>
        actions.sendAll(closeTitle(plan), closeActions(plan), (done) =>
          closedWords(done, { plan, positions, labelOf: seriesLabel }),
        )
      }
      onEnd={() => setPlan(null)}
    />
  );
}

interface ConfirmProps {
  readonly plan: ClosePlan;
  readonly onSend: () => void;
  readonly onEnd: () => void;
}

function Confirm({ plan, onSend, onEnd }: ConfirmProps): ReactNode {
  const { orders } = plan;
  return (
    <section className={styles.closeAll} aria-label="Close all positions">
      <p>{planText(plan)}</p>
      <ul>
        {orders.map((order) => (
          <li key={order.seriesId}>{closeText(order, plan, seriesLabel)}</li>
        ))}
      </ul>
      {orders.length > 0 && (
        <button
          type="button"
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
          autoFocus
          onClick={() => {
            onSend();
            onEnd();
          }}
        >
          Close {orders.length === 1 ? 'it' : `all ${orders.length}`} now
        </button>
      )}{' '}
      <button type="button" onClick={onEnd}>
        Leave them
      </button>
    </section>
  );
}

/** Reads the prices of each underlying, because the page has none of contracts off the screen. */
function usePlan(positions: readonly Position[]): () => Promise<ClosePlan> {
  const { client, stores } = useTerminal();
  return async () => {
    const symbols = [...new Set(positions.map(({ symbol }) => symbol))];
    const lists = await Promise.all(symbols.map((symbol) => client.market.tickers(symbol)));
    return planClose(
      positions,
      lists.flatMap(({ tickers }) => tickers),
      stores.holdings.getState().orders,
    );
  };
}

function heldText({ seriesId, qty }: ClosePlan['unquoted'][number]): string {
  return `${formatSize(Math.abs(qty))} ${seriesLabel(seriesId)}`;
}

function planText({ orders, unquoted, left }: ClosePlan): string {
  const words =
    orders.length === 0
      ? ['Nothing can be closed now.']
      : ['At the best prices, and at most 5 % beyond them; what does not trade at once stays.'];
  if (unquoted.length > 0) words.push(`Nobody takes the other side of ${unquoted.map(heldText).join(', ')}.`);
  if (left.length > 0)
    words.push(
      `${left.length} more ${left.length === 1 ? 'does' : 'do'} not fit into this batch: close again for the rest.`,
    );
  return words.join(' ');
}
