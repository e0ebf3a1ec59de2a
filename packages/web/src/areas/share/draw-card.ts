/** Draws a shared payoff on a canvas, in the colours of the page. */

import type { Point } from '../../basics/label-places.ts';
import { payoffLabels, payoffPaths, payoffRanges, spotPath } from '../../kit/payoff-picture.ts';
import { type Scale, scaleOf } from '../../kit/plot-scale.ts';
import type { Ink } from '../../kit/use-ink.ts';
import type { Payoff } from '../order/core/payoff/payoff.ts';
import type { Card } from './core/card.ts';

/** As large as previews of links show it. */
export const CARD = { width: 1_200, height: 630 } as const;
const EDGE = 56;
const PLOT = { left: EDGE, right: CARD.width - EDGE, top: 362, bottom: 552 };
/** Over the plot there is room for a label. */
const LABELS = { ...PLOT, top: 334 };
const LEG_PX = 34;

interface Drawn {
  readonly card: Card;
  readonly payoff: Payoff;
  /** Dollars, NaN while unknown. */
  readonly spot: number;
  readonly ink: Ink;
}

export function drawCard(context: CanvasRenderingContext2D, drawn: Drawn): void {
  const { card, ink } = drawn;
  context.fillStyle = ink.page;
  context.fillRect(0, 0, CARD.width, CARD.height);
  const write = writerOf(context, ink);
  const room = CARD.width - 2 * EDGE - (card.isPaper ? 140 : 0);
  write(card.title, { x: EDGE, y: 92, px: 42, weight: 650, room });
  if (card.isPaper) drawPaper(context, ink);
  for (const [i, leg] of card.legs.entries())
    write(leg, { x: EDGE, y: 142 + i * LEG_PX, px: 24, colour: ink.muted });
  const width = (CARD.width - 2 * EDGE) / card.figures.length;
  for (const [i, [label, text]] of card.figures.entries()) {
    const at = { x: EDGE + i * width, room: width - 16 };
    write(label, { ...at, y: 290, px: 20, colour: ink.muted });
    write(text, { ...at, y: 324, px: 28, weight: 550 });
  }
  drawPayoff(context, drawn);
  write(card.foot, { x: EDGE, y: 602, px: 20, colour: ink.muted, room: 940 });
  write('Venue', { x: CARD.width - EDGE, y: 602, px: 20, colour: ink.muted, align: 'right' });
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly px: number;
  readonly weight?: number;
  readonly colour?: string;
  readonly align?: CanvasTextAlign;
  /** The type gets smaller until it fits. */
  readonly room?: number;
}

function writerOf(context: CanvasRenderingContext2D, ink: Ink): (text: string, line: Line) => void {
  return (
    text,
    { x, y, px, weight = 400, colour = ink.text, align = 'left', room = Number.POSITIVE_INFINITY },
  ) => {
    let size = px;
    const setFont = () => {
      context.font = `${weight} ${size}px ${ink.font}`;
    };
    setFont();
    while (context.measureText(text).width > room && size > 12) {
      size -= 1;
      setFont();
    }
    context.fillStyle = colour;
    context.textAlign = align;
    context.fillText(text, x, y);
  };
}

function drawPaper(context: CanvasRenderingContext2D, ink: Ink): void {
  const box = { x: CARD.width - EDGE - 116, y: 56, width: 116, height: 44 };
  context.strokeStyle = ink.text;
  context.lineWidth = 2;
  context.strokeRect(box.x, box.y, box.width, box.height);
  writerOf(context, ink)('PAPER', { x: box.x + box.width / 2, y: 87, px: 26, weight: 650, align: 'center' });
}

function drawPayoff(context: CanvasRenderingContext2D, { payoff, spot, ink }: Drawn): void {
  const scale = scaleOf(PLOT, payoffRanges(payoff));
  const { expiry: points, zero: zeroLine } = payoffPaths(payoff, scale);
  const zero = scale.y(0);
  shade(context, { points, zero, colour: ink.good, top: PLOT.top, bottom: zero });
  shade(context, { points, zero, colour: ink.danger, top: zero, bottom: PLOT.bottom });
  line(context, zeroLine, { colour: ink.muted, width: 1 });
  line(context, points, { colour: ink.text, width: 4 });
  for (const at of payoff.breakEvens) {
    const x = scale.x(at);
    if (x < PLOT.left || x > PLOT.right) continue;
    context.fillStyle = ink.text;
    context.beginPath();
    context.arc(x, zero, 7, 0, 2 * Math.PI);
    context.fill();
  }
  const spotLine = spotPath(spot, scale);
  if (spotLine.length === 0) return;
  context.setLineDash([6, 6]);
  line(context, spotLine, { colour: ink.muted, width: 2 });
  context.setLineDash([]);
  drawNow(context, { scale, payoff, spot, ink });
}

const NOW_PX = 18;
const ALIGN = { start: 'left', middle: 'center', end: 'right' } as const;

/** Beside its line, clear of that of the payoff, which is drawn without the one of today. */
function drawNow(
  context: CanvasRenderingContext2D,
  { scale, payoff, spot, ink }: Omit<Drawn, 'card'> & { readonly scale: Scale },
): void {
  const atExpiry = payoff.points.map((point) => ({ ...point, today: null }));
  const [now] = payoffLabels(
    { points: atExpiry, breakEvens: payoff.breakEvens },
    {
      ...{ scale, spot, now: 'now', breakEven: null, room: LABELS, heightPx: NOW_PX },
      widthOf: (text) => text.length * NOW_PX * 0.6,
    },
  );
  if (now === undefined) return;
  const { x, anchor, box } = now.place;
  const write = writerOf(context, ink);
  write('now', { x, y: box.bottom - 4, px: NOW_PX, colour: ink.muted, align: ALIGN[anchor] });
}

interface Shade {
  readonly points: readonly Point[];
  readonly zero: number;
  readonly colour: string;
  readonly top: number;
  readonly bottom: number;
}

/** The area between the line and zero, as far as it is between top and bottom. */
function shade(context: CanvasRenderingContext2D, { points, zero, colour, top, bottom }: Shade): void {
  context.save();
  context.beginPath();
  context.rect(PLOT.left, top, PLOT.right - PLOT.left, bottom - top);
  context.clip();
  context.beginPath();
  context.moveTo(points[0]![0], zero);
  for (const [x, y] of points) context.lineTo(x, y);
  context.lineTo(points.at(-1)![0], zero);
  context.globalAlpha = 0.22;
  context.fillStyle = colour;
  context.fill();
  context.restore();
}

function line(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  { colour, width }: { readonly colour: string; readonly width: number },
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}
