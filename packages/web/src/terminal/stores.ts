/** State that React shows besides the chain: small stores, each written by one part of the page and read by any. */

import { type NoticeStores, noticeStores } from '../areas/notices/core/state.ts';
import { type OrderStores, orderStores } from '../areas/order/core/state.ts';
import { type MarketStores, marketStores } from '../market/state.ts';
import { type SessionStores, sessionStores } from '../session/state.ts';
import { type KeptViews, type ViewStores, viewStores } from '../view/state.ts';

export interface Stores extends MarketStores, SessionStores, OrderStores, NoticeStores, ViewStores {}

/** Takes the room and the columns of the last visit, if there was one. */
export function createStores(kept: Partial<KeptViews> = {}): Stores {
  return { ...marketStores(), ...sessionStores(), ...orderStores(), ...noticeStores(), ...viewStores(kept) };
}
