/** The ticket: an order of one contract, as it is typed, asked about and sent. */

import type { OrderFlag, OrderPreviewAnswer, TimeInForce } from '@venue/protocol';
import type { Side, Touch } from '../../../../market/touch.ts';
import type { Advice } from '../form/advice.ts';

export interface TicketAdvice {
  readonly text: string;
  readonly advice: Advice;
  /**
   * What it holds for: the account, until the next preview answers; the session or the link, until they recover; or one
   * attempt, until the next.
   */
  readonly of: 'account' | 'session' | 'link' | 'attempt';
  /** When it came, by this page's clock; countdowns start there. */
  readonly atMs: number;
}

export interface Ticket {
  readonly seriesId: string | null;
  readonly side: Side;
  readonly kind: 'limit' | 'market';
  /** As typed. */
  readonly qty: string;
  readonly price: string;
  /** As chosen for a limit order; a market order never rests, whatever stands here. */
  readonly tif: TimeInForce;
  readonly flag: OrderFlag | null;
  /** Until when an order with a time rests, as its field has it. */
  readonly until: string;
  /** True for the close of a position: its limit stays a bound beyond the best price. */
  readonly isClosing: boolean;
  readonly preview: OrderPreviewAnswer | null;
  /** Why there is no preview. */
  readonly previewFault: string | null;
  readonly sending: 'no' | 'sending' | 'unknown';
  /** The venue's answer to the last order sent, and what can be done about it. */
  readonly advice: TicketAdvice | null;
  /** Reasons to confirm the order; while there is one, the next press sends it. */
  readonly cautions: readonly string[];
  /** True while these are about the order together with the cancels of what is in its way. */
  readonly isWithCancels: boolean;
  /** The touch of a contract that is not on the chain, read for the ticket; null otherwise, or before it came. */
  readonly touch: Touch | null;
  /** Counts its openings, also those for the same contract; 0 while it is closed. */
  readonly opening: number;
}

export const EMPTY_TICKET: Ticket = {
  seriesId: null,
  side: 'buy',
  kind: 'limit',
  qty: '',
  price: '',
  tif: 'gtc',
  flag: null,
  until: '',
  isClosing: false,
  preview: null,
  previewFault: null,
  sending: 'no',
  advice: null,
  cautions: [],
  isWithCancels: false,
  touch: null,
  opening: 0,
};
