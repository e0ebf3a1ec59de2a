/** The parts of the page that both desks of orders are given. */

import type { VenueClient } from '@venue/sdk/browser';
import type { MarketStores } from '../../../../market/state.ts';
import type { AnsweredAccount, SendBatch } from '../../../../session/batches.ts';
import type { Send } from '../../../../session/sending.ts';
import type { SessionStores } from '../../../../session/state.ts';
import type { Notices } from '../../../notices/core/notices.ts';
import type { OrderStores } from '../state.ts';

export interface DeskOptions {
  readonly client: VenueClient;
  readonly stores: MarketStores & SessionStores & OrderStores;
  readonly notices: Notices;
  /** Takes one read from the page's allowance. */
  readonly take: () => boolean;
  readonly send: Send;
  readonly sendBatch: SendBatch;
  /** Called when an answer brought a newer account. */
  readonly onAccount: (answered: AnsweredAccount) => void;
  /** The venue's time in unix ms, by which cutoffs are judged. */
  readonly venueNow: () => number;
  /** The page's clock. */
  readonly now?: () => number;
}
