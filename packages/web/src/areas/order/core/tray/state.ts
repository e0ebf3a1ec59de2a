/** The strategy tray: several legs that trade as one order (CMB-1), and how they were laid. */

import type { ComboPreviewAnswer } from '@venue/protocol';
import type { SpreadKind, SpreadLeg } from '@venue/sdk/spreads';
import type { Side } from '../../../../market/touch.ts';
import type { TicketAdvice } from '../ticket/state.ts';
import type { Held } from './is-combo.ts';

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

export interface Tray {
  readonly isOpen: boolean;
  /** True while legs are collected: a phone has them in a bar under the chain until the whole tray is opened. */
  readonly isCollecting: boolean;
  readonly legs: readonly SpreadLeg[];
  /** What the legs were made by; null once they were changed one by one. */
  readonly preset: Preset | null;
  /** A close must not turn a position over. */
  readonly isClosing: boolean;
  /** The positions that it moves to a later expiry; null for any other order. */
  readonly rolls: readonly Held[] | null;
  /** Units, as typed. */
  readonly qty: string;
  /** What a unit may cost, as typed, or is to bring in. */
  readonly net: string;
  readonly isCredit: boolean;
  /** The place on the slider at which the net keeps to the books, 0 to 1; null once it was typed. */
  readonly place: number | null;
  /** All of it or nothing. */
  readonly isWhole: boolean;
  /** Why the last change of the legs was not made. */
  readonly fault: string | null;
  readonly preview: ComboPreviewAnswer | null;
  readonly previewFault: string | null;
  readonly sending: 'no' | 'sending' | 'unknown';
  readonly advice: TicketAdvice | null;
  readonly cautions: readonly string[];
}

export const EMPTY_TRAY: Tray = {
  isOpen: false,
  isCollecting: false,
  legs: [],
  preset: null,
  isClosing: false,
  rolls: null,
  qty: '1',
  net: '',
  isCredit: false,
  place: 0,
  isWhole: false,
  fault: null,
  preview: null,
  previewFault: null,
  sending: 'no',
  advice: null,
  cautions: [],
};
