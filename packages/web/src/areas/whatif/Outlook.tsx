/** The account in the imagined market: figures, greeks, and where it would be called. */

import type { ReactNode } from 'react';
import {
  formatAxis,
  formatChange,
  formatGamma,
  formatGreek,
  formatPnl,
  formatPrice,
  formatUsd,
} from '../../basics/numbers.ts';
import type { GlossaryWord } from '../../kit/glossary.ts';
import { Term } from '../../kit/Term.tsx';
import { pnlClass } from '../../kit/tones.ts';
import type { Answer } from './core/messages.ts';
import type { CallPoints } from './core/survey.ts';
import type { NetGreeks } from './core/what-if.ts';
import styles from './WhatIf.module.css';

interface OutlookProps {
  readonly answer: Answer;
  /** Null before the first. */
  readonly calls: CallPoints | null;
  readonly isOld: boolean;
}

export function Outlook({ answer: { outlook, greeks }, calls, isOld }: OutlookProps): ReactNode {
  const { change, equity, unrealized, buyingPower, locked, maintenance } = outlook;
  return (
    <div className={styles.outlook}>
      <dl aria-label="The account in the imagined market">
        <div className={styles.first}>
          <dt>Change</dt>
          <dd className={pnlClass(change)}>{formatPnl(change)}</dd>
        </div>
        <div className={styles.first}>
          <dt>
            <Term of="equity">Equity</Term>
          </dt>
          <dd>{formatUsd(equity)}</dd>
        </div>
        <Figure name="Unrealised P&L" word="unrealised P&L" className={pnlClass(unrealized)}>
          {formatPnl(unrealized)}
        </Figure>
        <Figure name="Buying power" word="buying power">
          {formatAxis(buyingPower, 2)}
        </Figure>
        <Figure name="Locked" word="locked">
          {formatPrice(locked, 2)}
        </Figure>
        <Figure name="Maintenance" word="maintenance margin">
          {formatPrice(maintenance, 2)}
        </Figure>
      </dl>
      <p className={outlook.isCalled ? `${styles.verdict} fault` : styles.verdict}>
        {outlook.isCalled
          ? 'Margin call here: unless equity is back by the next check, the venue closes shorts.'
          : 'No margin call here.'}{' '}
        {calls !== null && callWords(calls)}
        {isOld && ' The venue does not answer: these figures are old.'}
      </p>
      <GreeksTable greeks={greeks} />
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly word: GlossaryWord;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

function Figure({ name, word, className, children }: FigureProps): ReactNode {
  return (
    <div>
      <dt>
        <Term of={word}>{name}</Term>
      </dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}

function GreeksTable({ greeks }: { readonly greeks: readonly NetGreeks[] }): ReactNode {
  if (greeks.length === 0) return <p className="muted">Everything has expired, so there are no greeks.</p>;
  return (
    <table className={styles.greeks} aria-label="Net greeks in the imagined market">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Underlying</span>
          </th>
          {(['delta', 'gamma', 'theta', 'vega'] as const).map((greek) => (
            <th key={greek} scope="col">
              <Term of={greek}>{greek[0]!.toUpperCase() + greek.slice(1)}</Term>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {greeks.map(({ symbol, spot, delta, gamma, theta, vega }) => (
          <tr key={symbol}>
            <th scope="row">{symbol}</th>
            <td>{formatGreek(delta)}</td>
            <td>{formatGamma(gamma, spot)}</td>
            <td>{formatGreek(theta)}</td>
            <td>{formatGreek(vega)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** From where on the account would be liquidated, with volatility and date as they are. */
function callWords({ down, up, isAtOnce }: CallPoints): string {
  if (isAtOnce) return 'There is one without any move of spot.';
  if (down === null && up === null) return 'No move of spot within 30% would have it liquidated.';
  const places = [
    ...(down === null ? [] : [`${formatChange(down)} down`]),
    ...(up === null ? [] : [`${formatChange(up)} up`]),
  ];
  return `Liquidated from ${places.join(', and from ')}.`;
}
