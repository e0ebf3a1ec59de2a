/** How long the ticket's order rests, and what it may do on arrival (TIF-1 to TIF-3). */

import { allowsFlag, isRestingTif, type OrderFlag, type TimeInForce } from '@venue/protocol';
import type { Order } from './order.ts';

/** The ticket's name for each time in force. */
export const TIF_WORDS: Readonly<Record<TimeInForce, string>> = {
  gtc: 'Good till cancelled',
  ioc: 'Immediate or cancel',
  fok: 'Fill or kill',
  gtd: 'Good till a time',
};

export const FLAG_WORDS: Readonly<Record<OrderFlag, string>> = {
  'post-only': 'Post-only',
  'reduce-only': 'Reduce-only',
};

export type Choice = Pick<Order, 'kind' | 'tif' | 'flag'>;

/** The order's own time in force: a market order never rests. */
export function tifOf({ kind, tif }: Pick<Choice, 'kind' | 'tif'>): TimeInForce {
  return kind === 'market' && isRestingTif(tif) ? 'ioc' : tif;
}

/** The times in force that go with kind and flag, in the order in which they are offered. */
export function tifsOf({ kind, flag }: Omit<Choice, 'tif'>): readonly TimeInForce[] {
  const all: readonly TimeInForce[] = ['gtc', 'gtd', 'ioc', 'fok'];
  if (kind === 'market') return all.filter((tif) => !isRestingTif(tif));
  return flag === null ? all : all.filter((tif) => allowsFlag(tif, flag));
}

/**
 * Brings a changed choice in line with the rules: the flag decides the time in force, because dropping a flag unasked
 * could take or open what nobody wanted. A market order cannot be post-only, which is dropped with it in plain sight.
 */
export function fitted(choice: Choice): Choice {
  const { kind } = choice;
  const flag = kind === 'market' && choice.flag === 'post-only' ? null : choice.flag;
  // A market order keeps what was chosen for a limit order, which may be its kind again.
  const isKept = kind === 'market' || tifsOf({ kind, flag }).includes(choice.tif);
  return { kind, flag, tif: isKept ? choice.tif : flag === 'post-only' ? 'gtc' : 'ioc' };
}

/**
 * The difference from a plain order, for the button and the closed disclosure; empty for a plain one.
 *
 * @example forceText({ kind: 'limit', tif: 'ioc', flag: 'reduce-only' }) // 'immediate or cancel, reduce-only'
 */
export function forceText(choice: Choice): string {
  const tif = tifOf(choice);
  const plain = choice.kind === 'market' ? 'ioc' : 'gtc';
  const words = [
    ...(tif === plain ? [] : [TIF_WORDS[tif]]),
    ...(choice.flag === null ? [] : [FLAG_WORDS[choice.flag]]),
  ];
  return words.join(', ').toLowerCase();
}

/** Until when an order rests, as its field has it: the browser's own time, to the minute. */
export function untilText(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Unix ms of the field's text, or null while it is none. */
export function untilMs(text: string): number | null {
  const ms = /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : null;
}
