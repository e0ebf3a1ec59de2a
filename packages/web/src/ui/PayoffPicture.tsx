/** What the ticket's order makes and loses, together with what is held of its contract: at expiry, and today. */

import { type OrderPreviewAnswer, parseSeriesId } from '@venue/protocol';
import { type ReactNode, useMemo } from 'react';
import { formatPosition, formatPrice } from '../core/numbers.ts';
import { legOfPosition, type Payoff, type PayoffLeg } from '../core/payoff.ts';
import { feesOf } from '../core/portfolio.ts';
import type { Ticket } from '../core/stores.ts';
import { termsOf } from '../core/ticket-terms.ts';
import { PayoffLines, payoffColumns, payoffRanges } from './PayoffLines.tsx';
import { type Scale, scaleOf } from './plot-scale.ts';
import { Rows } from './Rows.tsx';
import { useStore, useTerminal } from './terminal.ts';
import { useDollars } from './use-dollars.ts';
import { useDrawnSpot } from './use-market.ts';
import { usePayoff } from './use-payoff.ts';
import './PayoffPicture.css';

const WIDTH_PX = 320;
const HEIGHT_PX = 140;
/** Above and below the lines, for their labels. */
const LABEL_PX = 16;
const BOX = { left: 0, right: WIDTH_PX, top: LABEL_PX, bottom: HEIGHT_PX - LABEL_PX };

export function PayoffPicture({ ticket }: { readonly ticket: Ticket }): ReactNode {
  const { market, stores } = useTerminal();
  const spot = useDrawnSpot();
  const { seriesId, side, qty, price, kind, preview } = ticket;
  const position = useStore(stores.holdings, ({ positions }) => positions.get(seriesId ?? '') ?? null);
  const fills = useStore(stores.holdings, (holdings) => holdings.fills);
  const legs = useMemo(() => {
    const leg = seriesId === null ? undefined : market.legOf(seriesId);
    const iv = leg === undefined ? Number.NaN : market.value(leg, 'iv');
    const mark = leg === undefined ? Number.NaN : market.value(leg, 'mark');
    const own = orderLegOf({ seriesId, side, qty, price, kind, preview } as Ticket, iv, mark);
    if (own === null) return [];
    const held =
      position === null ? [] : [legOfPosition(position, { iv: own.iv, fee: feesOf(position, fills) })];
    return [...held, own];
  }, [market, seriesId, side, qty, price, kind, preview, position, fills]);
  const payoff = usePayoff(legs, { spot });
  if (payoff === null) return <div className="payoff-room" />;
  const symbol = parseSeriesId(seriesId ?? '')?.symbol ?? '';
  const caption = captionOf(payoff, { held: position?.qty ?? 0, hasFee: hasFee(preview) });
  return <PayoffFigure {...{ payoff, caption, spot, symbol }} />;
}

function captionOf({ sentence }: Payoff, { held, hasFee }: { held: number; hasFee: boolean }): string {
  const start =
    held === 0
      ? sentence
      : `Together with your position of ${formatPosition(held)}: ${sentence[0]!.toLowerCase()}${sentence.slice(1)}`;
  return hasFee ? start : `${start} Without the fee.`;
}

function hasFee(preview: OrderPreviewAnswer | null): boolean {
  return preview !== null && preview.status !== 'rejected';
}

interface PayoffFigureProps {
  readonly payoff: Payoff;
  readonly caption: string;
  readonly spot: number;
  readonly symbol: string;
}

function PayoffFigure({ payoff, caption, spot, symbol }: PayoffFigureProps): ReactNode {
  const unit = useDollars();
  const { table, breakEvens } = payoff;
  const scale = scaleOf(BOX, payoffRanges(payoff));
  const x = scale.x(spot);
  return (
    <figure className="payoff">
      <svg viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} role="img" aria-label={caption}>
        {!Number.isNaN(x) && <line className="payoff-spot" x1={x} x2={x} y1={scale.top} y2={scale.bottom} />}
        <PayoffLines payoff={payoff} scale={scale} />
        <Label x={2} y={besideZero(scale)} text={`${unit}0`} />
        {breakEvens.map((at) => (
          <Label key={at} x={scale.x(at)} y={HEIGHT_PX - 4} text={`even at $${formatPrice(at)}`} />
        ))}
        {!Number.isNaN(x) && <Label x={x} y={12} text={`${symbol} now`} />}
      </svg>
      <figcaption>{caption}</figcaption>
      <details>
        <summary>As a table</summary>
        <Rows
          label="Profit and loss of the order"
          items={table}
          keyOf={(point) => point.spot}
          columns={payoffColumns(symbol, unit)}
        />
      </details>
    </figure>
  );
}

/** Of the label of the zero line: above it, unless the picture ends there. */
function besideZero(scale: Scale): number {
  const y = scale.y(0);
  return y > scale.top + LABEL_PX ? y - 4 : y + 12;
}

interface LabelProps {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Kept within the picture; what lies outside of it has none. */
function Label({ x, y, text }: LabelProps): ReactNode {
  if (x < 0 || x > WIDTH_PX) return null;
  const share = x / WIDTH_PX;
  const anchor = share < 0.3 ? 'start' : share > 0.7 ? 'end' : 'middle';
  return (
    <text className="payoff-label" x={x} y={y} textAnchor={anchor}>
      {text}
    </text>
  );
}

function orderLegOf(ticket: Ticket, iv: number, mark: number): PayoffLeg | null {
  const order = termsOf(ticket);
  const terms = ticket.seriesId === null ? undefined : parseSeriesId(ticket.seriesId);
  if (order === null || terms === undefined) return null;
  const { qty, side, price = averageOf(ticket.preview) ?? mark } = order.terms;
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

/** Dollars a contract over the fills that the venue foresees, or null without one. */
function averageOf(preview: OrderPreviewAnswer | null): number | null {
  const qty = preview?.fills.reduce((sum, fill) => sum + fill.qty, 0) ?? 0;
  return preview === null || qty === 0 ? null : preview.cost / qty;
}
