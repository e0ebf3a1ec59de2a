/** What the ticket's order makes and loses: at expiry, and today. */

import { parseSeriesId } from '@venue/protocol';
import { type ReactNode, useMemo } from 'react';
import { formatPnl, formatPrice } from '../core/numbers.ts';
import { type Payoff, type PayoffLeg, payoffOf } from '../core/payoff.ts';
import type { Ticket } from '../core/stores.ts';
import { termsOf } from '../core/ticket-desk.ts';
import { useTerminal } from './terminal.ts';
import './PayoffPicture.css';
import { useSpot } from './use-market.ts';

const WIDTH = 320;
const HEIGHT = 120;

export function PayoffPicture({ ticket }: { readonly ticket: Ticket }): ReactNode {
  const { market } = useTerminal();
  const spot = useSpot();
  const { seriesId, side, qty, price, kind, preview } = ticket;
  // Drawn anew for a move that can be seen, not for every tick.
  const shownSpot = Number.isNaN(spot) ? Number.NaN : Number(spot.toPrecision(4));
  const payoff = useMemo(() => {
    const leg = seriesId === null ? undefined : market.legOf(seriesId);
    const iv = leg === undefined ? Number.NaN : market.value(leg, 'iv');
    const mark = leg === undefined ? Number.NaN : market.value(leg, 'mark');
    const own = orderLegOf({ seriesId, side, qty, price, kind, preview } as Ticket, iv, mark);
    return own === null ? null : payoffOf([own], { spot: shownSpot, nowMs: Date.now() });
  }, [market, seriesId, side, qty, price, kind, preview, shownSpot]);
  if (payoff === null) return null;
  return <PayoffChart payoff={payoff} spot={shownSpot} />;
}

export function PayoffChart({ payoff, spot }: { readonly payoff: Payoff; readonly spot: number }): ReactNode {
  const { points, breakEvens, sentence } = payoff;
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const values = points.flatMap(({ atExpiry, today }) => [atExpiry, today ?? atExpiry]);
  const top = Math.max(...values, 0);
  const bottom = Math.min(...values, 0);
  const x = (price: number) => ((price - first.spot) / (last.spot - first.spot)) * WIDTH;
  const y = (value: number) => HEIGHT - ((value - bottom) / (top - bottom || 1)) * HEIGHT;
  const line = (resultAt: (i: number) => number | null) =>
    points
      .map(({ spot: at }, i) => ({ at, value: resultAt(i) }))
      .filter(({ value }) => value !== null)
      .map(({ at, value }) => `${x(at).toFixed(1)},${y(value!).toFixed(1)}`)
      .join(' ');
  return (
    <figure className="payoff">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={sentence}>
        <line className="zero" x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} />
        {!Number.isNaN(spot) && <line className="spot" x1={x(spot)} x2={x(spot)} y1="0" y2={HEIGHT} />}
        {breakEvens.map((at) => (
          <circle key={at} className="break-even" cx={x(at)} cy={y(0)} r="3">
            <title>Break-even {formatPrice(at)}</title>
          </circle>
        ))}
        <polyline className="today" points={line((i) => points[i]!.today)} />
        <polyline className="expiry" points={line((i) => points[i]!.atExpiry)} />
      </svg>
      <figcaption>{sentence}</figcaption>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Underlying</th>
              <th scope="col">At expiry</th>
              <th scope="col">Today</th>
            </tr>
          </thead>
          <tbody>
            {payoff.table.map((point) => (
              <tr key={point.spot}>
                <td>{formatPrice(point.spot)}</td>
                <td>{formatPnl(point.atExpiry)}</td>
                <td>{point.today === null ? '–' : formatPnl(point.today)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function orderLegOf(ticket: Ticket, iv: number, mark: number): PayoffLeg | null {
  const order = termsOf(ticket);
  const terms = ticket.seriesId === null ? undefined : parseSeriesId(ticket.seriesId);
  if (order === null || terms === undefined) return null;
  const { qty, side, price = mark } = order.terms;
  if (Number.isNaN(price)) return null;
  return {
    seriesId: ticket.seriesId!,
    right: terms.right,
    strike: terms.strikeMicros / 1e6,
    expiryTs: terms.expiryTs,
    qty: side === 'buy' ? qty : -qty,
    price,
    fee: ticket.preview?.fee ?? 0,
    iv: Number.isNaN(iv) ? 0 : iv,
  };
}
