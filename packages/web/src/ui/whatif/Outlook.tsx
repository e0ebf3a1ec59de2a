/** What the account would be in the imagined market: figures, greeks, and where it would be called. */

import type { ReactNode } from 'react';
import {
  formatAxis,
  formatChange,
  formatGamma,
  formatGreek,
  formatPnl,
  formatPrice,
  formatUsd,
} from '../../core/numbers.ts';
import type { Answer } from '../../core/whatif/messages.ts';
import type { CallPoints } from '../../core/whatif/survey.ts';
import type { NetGreeks } from '../../core/whatif/what-if.ts';
import { pnlClass } from '../../kit/tones.ts';
import { useDollars } from '../../kit/use-dollars.ts';

interface OutlookProps {
  readonly answer: Answer;
  /** Null before the first. */
  readonly calls: CallPoints | null;
  readonly isOld: boolean;
}

export function Outlook({ answer: { outlook, greeks }, calls, isOld }: OutlookProps): ReactNode {
  const { change, equity, unrealized, buyingPower, locked, maintenance } = outlook;
  const unit = useDollars();
  return (
    <div className="what-if-outlook">
      <dl aria-label="The account in the imagined market">
        <div className="what-if-first">
          <dt>Change</dt>
          <dd className={pnlClass(change)}>{formatPnl(change)}</dd>
        </div>
        <div className="what-if-first">
          <dt>Equity</dt>
          <dd>{formatUsd(equity, unit)}</dd>
        </div>
        <Figure name="Unrealised P&L" className={pnlClass(unrealized)}>
          {formatPnl(unrealized)}
        </Figure>
        <Figure name="Buying power">{formatAxis(buyingPower, 2)}</Figure>
        <Figure name="Locked">{formatPrice(locked, 2)}</Figure>
        <Figure name="Maintenance">{formatPrice(maintenance, 2)}</Figure>
      </dl>
      <p className={outlook.isCalled ? 'what-if-verdict danger' : 'what-if-verdict'}>
        {outlook.isCalled
          ? 'Called here: unless equity is back by the next check, the venue closes shorts.'
          : 'Not called here.'}{' '}
        {calls !== null && callWords(calls)}
        {isOld && ' The venue does not answer: these figures are old.'}
      </p>
      <GreeksTable greeks={greeks} />
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Figure({ name, className, children }: FigureProps): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}

function GreeksTable({ greeks }: { readonly greeks: readonly NetGreeks[] }): ReactNode {
  if (greeks.length === 0) return <p className="muted">Everything has expired, so there are no greeks.</p>;
  return (
    <table className="what-if-greeks" aria-label="Net greeks in the imagined market">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Underlying</span>
          </th>
          {['Delta', 'Gamma', 'Theta', 'Vega'].map((name) => (
            <th key={name} scope="col">
              {name}
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
  if (isAtOnce) return 'It would be called without any move of spot.';
  if (down === null && up === null) return 'No move of spot within 30% would have it liquidated.';
  const places = [
    ...(down === null ? [] : [`${formatChange(down)} down`]),
    ...(up === null ? [] : [`${formatChange(up)} up`]),
  ];
  return `Liquidated from ${places.join(', and from ')}.`;
}
