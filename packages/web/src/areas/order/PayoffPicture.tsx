/** The payoff of the ticket's order, alone or with all positions in its underlying: at expiry, and today. */

import { parseSeriesId } from '@venue/protocol';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { formatAxis, formatPrice } from '../../basics/numbers.ts';
import { type Ticks, ticksOf } from '../../basics/ticks.ts';
import { later } from '../../kit/later.tsx';
import { leftOutText } from '../../kit/left-out.ts';
import { PayoffLabels, PayoffLines, payoffColumns, SpotLine } from '../../kit/PayoffLines.tsx';
import { amountBox, payoffLabels, payoffRanges, plotBeside } from '../../kit/payoff-picture.ts';
import { type Range, type Scale, scaleOf } from '../../kit/plot-scale.ts';
import { Rows } from '../../kit/Rows.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useChains } from '../../terminal/use-data.ts';
import { useGreeks } from '../../terminal/use-greeks.ts';
import { useDrawnSpot } from '../../terminal/use-market.ts';
import { usePayoff } from '../../terminal/use-payoff.ts';
import { useEstimate } from '../../terminal/use-settles-near.ts';
import type { ShareSheetProps } from '../share/ShareSheet.tsx';
import { contractOf, type Ticket } from './core/form/order.ts';
import type { Payoff } from './core/payoff/payoff.ts';
import type { PayoffLeg } from './core/payoff/payoff-leg.ts';
import { portfolioLegs } from './core/payoff/portfolio.ts';
import { uncoveredCalls } from './core/payoff/uncovered.ts';
import { legsNote, orderLegs } from './core/ticket/order-legs.ts';
import { termsOf } from './core/ticket/terms.ts';
import './PayoffPicture.css';

const WIDTH_PX = 320;
const HEIGHT_PX = 160;
/** With space for a label above the lines, and for prices below. */
const BOX = { left: 0, right: WIDTH_PX, top: 20, bottom: HEIGHT_PX - 16 };

/** The subject of the picture. */
type Scope = 'order' | 'book';

export function PayoffPicture({ ticket }: { readonly ticket: Ticket }): ReactNode {
  const symbol = parseSeriesId(contractOf(ticket) ?? '')?.symbol ?? '';
  return <OrderPayoff symbol={symbol} first="book" {...useOrderLegs(ticket)} />;
}

interface OrderPayoffProps {
  readonly symbol: string;
  /** Shown until the person chooses. */
  readonly first: Scope;
  /** The order, as the same object until its content changes. */
  readonly own: readonly PayoffLeg[];
  /** A sentence on what the order's legs omit. */
  readonly note: string;
}

/** The payoff of an order of one or more legs, alone or with what is held of its underlying. */
export function OrderPayoff({ symbol, first, own, note }: OrderPayoffProps): ReactNode {
  const spot = useDrawnSpot(symbol);
  const [asked, setAsked] = useState<Scope>(first);
  const held = useHeldLegs(symbol);
  const scope = held.length === 0 ? 'order' : asked;
  const legs = useMemo(
    () => (own.length === 0 || scope === 'order' ? own : [...held, ...own]),
    [scope, own, held],
  );
  const estimate = useEstimate(symbol, Math.min(...legs.map(({ expiryTs }) => expiryTs)));
  const payoff = usePayoff(legs, { spot, of: scope, alsoAt: estimate });
  if (own.length === 0 || payoff === null) return <div className="payoff-room" />;
  const words = scope === 'order' && own.length === 1 ? payoff.sentence : bookWords(legs, payoff);
  return (
    <div className="payoff-part">
      {held.length > 0 && <ScopeSwitch symbol={symbol} scope={scope} onChoose={setAsked} />}
      <PayoffFigure {...{ payoff, spot, symbol, estimate }} caption={`${words}${note}`} />
      <Share legs={own} spot={spot} isWithoutFee={note.includes('ithout the fee')} />
    </div>
  );
}

const ShareSheet = later(async () => (await import('../share/ShareSheet.tsx')).ShareSheet);

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
  const seriesId = contractOf(ticket);
  const leg = seriesId === null ? undefined : market.legOf(seriesId);
  const value = (column: 'iv' | 'mark') => (leg === undefined ? Number.NaN : market.value(leg, column));
  const mark = leg === undefined ? (ticket.touch?.mark ?? Number.NaN) : value('mark');
  const offChain = useOffChainIv(leg === undefined ? seriesId : null, mark);
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
  const names = open.map(({ expiryTs }) => expiryLabel(expiryTs, nowMs)).join(' and ');
  const beyond =
    open.length === 0
      ? ''
      : ` Held to expiry, losses are unlimited: you are net short ${names} calls, and other expiries do not cover them.`;
  const sentence =
    at === '' ? payoff.sentence : payoff.sentence.replace(/^./, (first) => first.toLowerCase());
  return `${at}${sentence}${leftOutText(payoff)}${beyond}`;
}

interface ScopeSwitchProps {
  readonly symbol: string;
  readonly scope: Scope;
  readonly onChoose: (scope: Scope) => void;
}

/** Picture, sentence and maximum loss are those of the chosen scope. */
function ScopeSwitch({ symbol, scope, onChoose }: ScopeSwitchProps): ReactNode {
  const names = { order: 'This order alone', book: `${symbol} positions after` } as const;
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
  readonly estimate: number | undefined;
}

function PayoffFigure({ payoff, caption, spot, symbol, estimate }: PayoffFigureProps): ReactNode {
  const { table, breakEvens } = payoff;
  const ranges = payoffRanges(payoff);
  const amounts = ticksOf(ranges.y, Y_TICKS);
  const texts = amounts.values.map((amount) => formatAxis(amount, amounts.decimals));
  const plot = plotBeside(texts, BOX, widthOf);
  const scale = scaleOf(plot, ranges);
  const labels = payoffLabels(payoff, {
    ...{ scale, spot, estimate, widthOf, heightPx: TEXT_PX },
    now: `${symbol} now`,
    breakEven: (at) => `${breakEvens.length === 1 ? 'break-even ' : ''}${formatPrice(at)}`,
    room: { ...plot, top: 0 },
  });
  return (
    <figure className="payoff">
      <svg viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`} role="img" aria-label={caption}>
        <Axes scale={scale} x={ranges.x} {...{ amounts, texts }} />
        <SpotLine spot={spot} scale={scale} />
        {estimate !== undefined && <SpotLine spot={estimate} scale={scale} isEstimate />}
        <PayoffLines payoff={payoff} scale={scale} />
        <PayoffLabels labels={labels} />
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
  readonly amounts: Ticks;
  /** The amounts as they are written. */
  readonly texts: readonly string[];
}

/** Prices of the underlying below, profit and loss on the left, both in dollars. */
function Axes({ scale, x, amounts, texts }: AxesProps): ReactNode {
  const prices = ticksOf(x, X_TICKS);
  return (
    <g className="payoff-axes">
      {amounts.values.map((amount, i) => {
        const y = scale.y(amount);
        const text = texts[i]!;
        const box = amountBox(y, scale, { width: widthOf(text), height: TEXT_PX });
        return (
          <g key={amount}>
            <line x1={scale.left} x2={scale.right} y1={y} y2={y} />
            <text x={box.right} y={box.bottom - DESCENT_PX} textAnchor="end">
              {text}
            </text>
          </g>
        );
      })}
      {prices.values.map((price) => (
        <PriceTick
          key={price}
          x={scale.x(price)}
          left={scale.left}
          text={formatAxis(price, prices.decimals)}
        />
      ))}
    </g>
  );
}

const X_TICKS = 3;
const Y_TICKS = 3;
/** As high as a label, and as wide as most of its characters. */
const TEXT_PX = 11;
const CHARACTER_PX = 6.4;
/** From the foot of a text to that of its box. */
const DESCENT_PX = 2;

function widthOf(text: string): number {
  return text.length * CHARACTER_PX;
}

interface PriceTickProps {
  readonly x: number;
  readonly left: number;
  readonly text: string;
}

/** Kept under the plot. */
function PriceTick({ x, left, text }: PriceTickProps): ReactNode {
  const half = widthOf(text) / 2;
  const anchor = x - half < left ? 'start' : x + half > WIDTH_PX ? 'end' : 'middle';
  return (
    <text className="payoff-tick" x={x} y={HEIGHT_PX - 3} textAnchor={anchor}>
      {text}
    </text>
  );
}
