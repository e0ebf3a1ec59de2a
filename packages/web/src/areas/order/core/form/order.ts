/**
 * An order as it is written: of one contract in the ticket, or of up to four legs in the tray that trade as one (CMB-1).
 * Ticket and tray have one each, as the legs wait behind the ticket.
 */

import {
  type ComboPreviewAnswer,
  type OrderFlag,
  type OrderPreviewAnswer,
  parseSeriesId,
  type TimeInForce,
} from '@venue/protocol';
import type { SpreadKind, SpreadLeg } from '@venue/sdk/spreads';
import type { Side, Touch } from '../../../../market/touch.ts';
import type { Held } from '../tray/is-combo.ts';
import type { Advice } from './advice.ts';

export interface OrderAdvice {
  readonly text: string;
  readonly advice: Advice;
  /**
   * It holds for one thing: the account, until the next preview answers; the session or the link, until they recover; or one
   * attempt, until the next.
   */
  readonly of: 'account' | 'session' | 'link' | 'attempt';
  /** When it came, by this page's clock; countdowns start there. */
  readonly atMs: number;
}

/** Advice that was not shown yet. */
export type Message = Omit<OrderAdvice, 'atMs'>;

export type PresetKind = SpreadKind;

/** A usual spread around the money. */
export interface Preset {
  readonly kind: PresetKind;
  readonly side: Side;
  readonly right: 'call' | 'put';
  /** Listed strikes between its legs, or, of a calendar, expiries. */
  readonly width: number;
  /** Listed strikes by which its middle is above the money, or below it if negative. */
  readonly shift: number;
  /**
   * Listed strikes from the money to the put and the call that an iron condor sells, chosen by delta; null where they are
   * as far from the money as the wings are from them.
   */
  readonly shorts: readonly [put: number, call: number] | null;
  /** Unix seconds; of a calendar the earlier. */
  readonly expiryTs: number;
}

/** The venue's answer on the effects of the order. */
export type Preview = OrderPreviewAnswer | ComboPreviewAnswer;

export interface Order<P extends Preview = Preview> {
  /** Counts the orders begun here: an answer for an earlier one only becomes a notice. */
  readonly no: number;
  /** False without an order, and while the legs wait behind the ticket. */
  readonly isOpen: boolean;
  /** True while legs are collected: a phone has them in a bar under the chain until the whole tray is opened. */
  readonly isCollecting: boolean;
  /** The ticket's order has one. */
  readonly legs: readonly SpreadLeg[];
  /** The maker of the legs; null once they were changed one by one. */
  readonly preset: Preset | null;
  /** True for the close of positions: the limit of one contract stays a bound beyond the best price. */
  readonly isClosing: boolean;
  /** The positions that it moves to a later expiry; null for any other order. */
  readonly rolls: readonly Held[] | null;
  /** Why the last change of the legs was not made. */
  readonly fault: string | null;
  readonly kind: 'limit' | 'market';
  /** Contracts or units, as typed. */
  readonly qty: string;
  /** The limit of a contract, or the most that a unit may cost or the least that it is to bring in; as typed. */
  readonly price: string;
  /** True where a unit is to bring its price in. */
  readonly isCredit: boolean;
  /** The place between the books at which the price stays, 0 (touch) to 1 (far touch); null for one that was typed. */
  readonly place: number | null;
  /** As chosen for a limit order; a market order never rests, whatever stands here. */
  readonly tif: TimeInForce;
  readonly flag: OrderFlag | null;
  /** Until when an order with a time rests, as its field has it. */
  readonly until: string;
  readonly preview: P | null;
  /** Why there is no preview. */
  readonly previewFault: string | null;
  readonly sending: 'no' | 'sending' | 'unknown';
  /** The venue's answer to the last order sent, and what can be done about it. */
  readonly advice: OrderAdvice | null;
  /** Reasons to confirm the order; while there is one, the next press sends it. */
  readonly cautions: readonly string[];
  /** True while these are about the order together with the cancels of what is in its way. */
  readonly isWithCancels: boolean;
  /** The touch of a contract that is not on the chain, read for the ticket; null otherwise, or before it came. */
  readonly touch: Touch | null;
}

export type Ticket = Order<OrderPreviewAnswer>;
export type Tray = Order<ComboPreviewAnswer>;

/** Members that a change of the order clears. */
export const NOT_ASKED = {
  preview: null,
  previewFault: null,
  advice: null,
  cautions: [],
  isWithCancels: false,
} as const;

export const NO_ORDER: Order<never> = {
  no: 0,
  isOpen: false,
  isCollecting: false,
  legs: [],
  preset: null,
  isClosing: false,
  rolls: null,
  fault: null,
  kind: 'limit',
  qty: '',
  price: '',
  isCredit: false,
  place: null,
  tif: 'gtc',
  flag: null,
  until: '',
  sending: 'no',
  touch: null,
  ...NOT_ASKED,
};

/** The tray before its first leg: one unit, at the touch, of which nothing rests. */
export const NO_LEGS = { qty: '1', place: 0, tif: 'ioc' } as const;

/** The contract of the ticket's order; null while there is none. */
export function contractOf({ legs: [leg] }: Pick<Order, 'legs'>): string | null {
  return leg?.seriesId ?? null;
}

export function sideOf({ legs: [leg] }: Pick<Order, 'legs'>): Side {
  return leg?.side ?? 'buy';
}

/** When the first leg stops trading, in unix ms by the venue's clock; infinite without legs, or where none is a contract. */
export function cutoffMs(legs: readonly Pick<SpreadLeg, 'seriesId'>[]): number {
  const expiries = legs.map(({ seriesId }) => parseSeriesId(seriesId)?.expiryTs ?? Number.POSITIVE_INFINITY);
  return Math.min(...expiries) * 1_000;
}
