/** The payoff of the ticket's order, alone or with all positions in its underlying: at expiry, and today. */

import { parseSeriesId } from '@venue/protocol';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { portfolioLegs } from '../core/account/portfolio.ts';
import { uncoveredCalls } from '../core/account/uncovered.ts';
import { ticksOf } from '../core/chain/ticks.ts';
import { expiryLabel } from '../core/dates.ts';
import { formatAxis, formatPrice } from '../core/numbers.ts';
import type { Ticket } from '../core/stores.ts';
import { legsNote, orderLegs } from '../core/ticket/foreseen.ts';
import type { Payoff, PayoffLeg } from '../core/ticket/payoff.ts';
import { termsOf } from '../core/ticket/terms.ts';
import { later } from '../kit/later.tsx';
import { leftOutText } from '../kit/left-out.ts';
import { PayoffLines, payoffColumns, payoffRanges } from '../kit/PayoffLines.tsx';
import { type Range, type Scale, scaleOf } from '../kit/plot-scale.ts';
import { Rows } from '../kit/Rows.tsx';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { useChains } from '../kit/use-data.ts';
import { useGreeks } from '../kit/use-greeks.ts';
import { useDrawnSpot } from '../kit/use-market.ts';
import { usePayoff } from '../kit/use-payoff.ts';
import type { ShareSheetProps } from './share/ShareSheet.tsx';
import './PayoffPicture.css';

const WIDTH_PX = 320;
const HEIGHT_PX = 160;
/** Space for labels above and below the lines. */
const LABEL_PX = 16;
const BOX = { left: 0, right: WIDTH_PX, top: LABEL_PX, bottom: HEIGHT_PX - LABEL_PX };

/** The subject of the picture. */
type Scope = 'order' | 'book';

export function PayoffPicture({ ticket }: { readonly ticket: Ticket }): ReactNode {
  const symbol = parseSeriesId(ticket.seriesId ?? '')?.symbol ?? '';
  return <OrderPayoff symbol={symbol} first="book" {...useOrderLegs(ticket)} />;
}

interface OrderPayoffProps {
  readonly symbol: string;
  /** What is shown until the person chooses. */
  readonly first: Scope;
  /** The order, as the same object until its content changes. */
  readonly own: readonly PayoffLeg[];
  /** A sentence on what the order's legs omit. */
  readonly note: string;
}

/** The payoff of an order of one or more legs, alone or with what is held of its underlying. */
export function OrderPayoff({ symbol, first, own, note }: OrderPayoffProps): ReactNode {
  const spot = useDrawnSpot();
  const [asked, setAsked] = useState<Scope>(first);
  const held = useHeldLegs(symbol);
  const scope = held.length === 0 ? 'order' : asked;
  const legs = useMemo(
    () => (own.length === 0 || scope === 'order' ? own : [...held, ...own]),
    [scope, own, held],
  );
  const payoff = usePayoff(legs, { spot });
  if (own.length === 0 || payoff === null) return <div className="payoff-room" />;
  const words = scope === 'order' && own.length === 1 ? payoff.sentence : bookWords(legs, payoff);
  return (
    <div className="payoff-part">
      {held.length > 0 && <ScopeSwitch symbol={symbol} scope={scope} onChoose={setAsked} />}
      <PayoffFigure {...{ payoff, spot, symbol }} caption={`${words}${note}`} />
      <Share legs={own} spot={spot} isWithoutFee={note.includes('ithout the fee')} />
    </div>
  );
}

const ShareSheet = later(async () => (await import('./share/ShareSheet.tsx')).ShareSheet);

/** Always of the order alone: what is held is nobody else's business. */
function Share(order: Omit<ShareSheetProps, 'onClose'>): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="acts">
      <button type="button" onClick={() => setOpen(true)}>
        Share…
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShareSheet {...order} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The order as legs, with a note on what they omit. The same objects until the content changes. */
function useOrderLegs(ticket: Ticket): { readonly own: readonly PayoffLeg[]; readonly note: string } {
  const { market } = useTerminal();
  const order = termsOf(ticket);
  const leg = ticket.seriesId === null ? undefined : market.legOf(ticket.seriesId);
  const value = (column: 'iv' | 'mark') => (leg === undefined ? Number.NaN : market.value(leg, column));
  const mark = leg === undefined ? (ticket.touch?.mark ?? Number.NaN) : value('mark');
  const offChain = useOffChainIv(leg === undefined ? ticket.seriesId : null, mark);
  const foreseen = order === null ? null : { terms: order.terms, preview: ticket.preview, mark };
  const own = useSame(
    foreseen === null ? [] : orderLegs(foreseen, leg === undefined ? offChain : value('iv')),
  );
  return { own, note: foreseen === null ? '' : legsNote(foreseen) };
}

/** The volatility of a contract whose expiry is not on the chain, to four digits; NaN while unknown, or for none. */
function useOffChainIv(seriesId: string | null, mark: number): number {
  const marks = useMemo(() => new Map(seriesId === null ? [] : [[seriesId, mark]]), [seriesId, mark]);
  return Number((useGreeks(marks)(seriesId ?? '')?.iv ?? Number.NaN).toPrecision(4));
}

/** Positions in the underlying, across its expiries. */
function useHeldLegs(symbol: string): readonly PayoffLeg[] {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const fills = useStore(stores.holdings, (holdings) => holdings.fills);
  const held = [...positions.values()].filter((position) => position.symbol === symbol);
  const chainOf = useChains(symbol, [...new Set(held.map(({ expiryTs }) => expiryTs))]);
  return useSame(portfolioLegs(held, { symbol, fills, chainOf }));
}

/** Each read of the account or a chain creates new objects with mostly the same content. */
export function useSame(legs: readonly PayoffLeg[]): readonly PayoffLeg[] {
  const content = JSON.stringify(legs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => legs, [content]);
}

/** The sentence for several legs, as of all positions after the order has filled, including legs beyond the chosen expiry. */
function bookWords(legs: readonly PayoffLeg[], payoff: Payoff): string {
  const nowMs = Date.now();
  const expiries = new Set(legs.map(({ expiryTs }) => expiryTs));
  const at = expiries.size > 1 ? `At the expiry of ${expiryLabel(payoff.expiryTs, nowMs)}: ` : '';
  const open = payoff.worst === Number.NEGATIVE_INFINITY ? [] : uncoveredCalls(legs);
  const names = open.map(({ expiryTs }) => expiryLabel(expiryTs, nowMs)).join(' and of ');
  const beyond =
    open.length === 0
      ? ''
      : ` Held to expiry, losses are unlimited: you are net short ${names} calls, and other expiries do not cover them.`;
  return `${at}${payoff.sentence}${leftOutText(payoff)}${beyond}`;
}

interface ScopeSwitchProps {
  readonly symbol: string;
  readonly scope: Scope;
  readonly onChoose: (scope: Scope) => void;
}

/** Picture, sentence and maximum loss are those of the chosen scope. */
function ScopeSwitch({ symbol, scope, onChoose }: ScopeSwitchProps): ReactNode {
  const names = { order: 'This order alone', book: `${symbol} book after it` } as const;
  return (
    <fieldset className="payoff-scope">
      <legend className="visually-hidden">Profit and loss of</legend>
      {(['order', 'book'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === scope} onClick={() => onChoose(one)}>
          {names[one]}
        </button>
      ))}
    </fieldset>
  );
}

interface PayoffFigureProps {
  readonly payoff: Payoff;
  readonly caption: string;
  readonly spot: number;
  readonly symbol: string;
}

function PayoffFigure({ payoff, caption, spot, symbol }: PayoffFigureProps): ReactNode {
  const { table, breakEvens } = payoff;
  const ranges = payoffRanges(payoff);
  const scale = scaleOf(BOX, ranges);
  const x = scale.x(spot);
  return (
    <figure className="payoff">
      <svg viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} role="img" aria-label={caption}>
        <Axes scale={scale} {...ranges} />
        {!Number.isNaN(x) && <line className="payoff-spot" x1={x} x2={x} y1={scale.top} y2={scale.bottom} />}
        <PayoffLines payoff={payoff} scale={scale} />
        {breakEvens.map((at, i) => (
          <Label
            key={at}
            x={scale.x(at)}
            y={scale.bottom - 4}
            // Two of them may be near each other: each is short, and written away from the other.
            {...(breakEvens.length === 2
              ? { text: formatPrice(at), anchor: i === 0 ? 'end' : 'start' }
              : { text: `break-even $${formatPrice(at)}` })}
          />
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
          columns={payoffColumns(symbol)}
        />
      </details>
    </figure>
  );
}

interface AxesProps {
  readonly scale: Scale;
  readonly x: Range;
  readonly y: Range;
}

/** Prices of the underlying below, profit and loss on the left, both in dollars. */
function Axes({ scale, x, y }: AxesProps): ReactNode {
  const prices = ticksOf(x, X_TICKS);
  const amounts = ticksOf(y, Y_TICKS);
  return (
    <g className="payoff-axes">
      {amounts.values.map((amount) => (
        <g key={amount}>
          <line x1={scale.left} x2={scale.right} y1={scale.y(amount)} y2={scale.y(amount)} />
          <text x={2} y={scale.y(amount) - 3}>
            {formatAxis(amount, amounts.decimals)}
          </text>
        </g>
      ))}
      {prices.values.map((price) => (
        <Label
          key={price}
          x={scale.x(price)}
          y={HEIGHT_PX - 3}
          text={formatAxis(price, prices.decimals)}
          className="payoff-tick"
        />
      ))}
    </g>
  );
}

const X_TICKS = 3;
const Y_TICKS = 3;

interface LabelProps {
  readonly className?: string;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** By default the one that keeps it inside. */
  readonly anchor?: 'start' | 'end';
}

/** As wide as most characters of a label, in px. */
const CHARACTER_PX = 6;

/** Kept inside the picture; no label for anything outside. */
function Label({ x, y, text, anchor: wanted, className = 'payoff-label' }: LabelProps): ReactNode {
  if (x < 0 || x > WIDTH_PX) return null;
  const share = x / WIDTH_PX;
  const width = (text.length * CHARACTER_PX) / WIDTH_PX;
  const hasRoom = wanted === 'start' ? share < 1 - width : share > width;
  const inside = share < 0.3 ? 'start' : share > 0.7 ? 'end' : 'middle';
  const anchor = wanted !== undefined && hasRoom ? wanted : inside;
  return (
    <text className={className} x={x} y={y} textAnchor={anchor}>
      {text}
    </text>
  );
}
