/** A combo as it is asked for, checked and planned. */

import type { Micros, OrderTerms } from '@venue/protocol';
import type { OrderHandle } from '../../book/book.ts';
import type { OpenedLeg } from '../../entry/effects.ts';
import type { EntryRisk } from '../../risk/entry-risk.ts';
import type { Account } from '../../state/account.ts';
import type { WalkedSet } from '../../state/fillable-walk.ts';
import type { Side } from '../../state/series.ts';
import type { Work } from '../work.ts';

/** A combo as it is asked for. */
export interface ComboRequest {
  readonly legs: readonly { readonly seriesId: string; readonly side: Side; readonly ratio: number }[];
  /** Units; 0 is `bad qty`. */
  readonly qtyMicros: number;
  /** The most that a unit may cost; null for no limit. */
  readonly netMicros: number | null;
  readonly terms: OrderTerms;
  readonly work: Work;
  /** The risk of its account in this entry. */
  readonly risk: EntryRisk;
}

/** A combo of listed series and of quantities that can be exact. */
export interface SoundCombo {
  readonly account: Account;
  /** In the order in which they trade. */
  readonly legs: readonly OpenedLeg[];
  readonly qtyMicros: Micros;
  readonly netMicros: Micros | null;
  readonly terms: OrderTerms;
  readonly work: Work;
  /** The risk of its account in this entry. */
  readonly risk: EntryRisk;
}

/** The part of a resting order that a leg takes. */
export interface Take {
  readonly h: OrderHandle;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
}

export interface LegPlan {
  readonly leg: OpenedLeg;
  /** In match priority. */
  readonly takes: readonly Take[];
}

/** The trades of a combo, if nothing refuses it. */
export interface ComboPlan {
  /** Units. */
  readonly qtyMicros: Micros;
  readonly legs: readonly LegPlan[];
  /** The quote sets that the legs meet, as they leave them. */
  readonly sets: readonly WalkedSet[];
  /** How many quotes leave with the sets that are used up. */
  readonly leaving: number;
}
