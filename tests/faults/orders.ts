/** Checks that a venue shows every trader all orders of the account, as the log has them (CID-2). */

import { isDeepStrictEqual } from 'node:util';
import type { OrderList, OrderRecord } from '@venue/protocol';
import { eventually } from '../e2e/launched.ts';
import type { Evidence } from './evidence.ts';
import type { Trader } from './trader.ts';

export interface ShownOrdersOptions {
  readonly url: string;
  readonly traders: readonly Trader[];
  /** Up to the venue's last entry. */
  readonly evidence: Evidence;
}

const PAGE = 500;
/** Ids that are looked up one by one, the newest of each trader. */
const LOOKED_UP = 40;

/** Differences, in sentences. The token given to each trader before must still be valid. */
export async function wrongOrders({ url, traders, evidence }: ShownOrdersOptions): Promise<string[]> {
  const faults: string[] = [];
  for (const { token, address } of traders) {
    const look = <T>(path: string) => read<T>(`${url}/v1/orders${path}`, token);
    const noted = evidence.ordersOf(address);
    faults.push(...differences(`the orders of ${address}`, await pages(look, ''), noted));
    const open = noted.filter(({ cause }) => cause === null);
    faults.push(
      ...differences(`the open orders of ${address}`, await pages(look, '&status=open'), open),
      ...(await wrongLookups(look, noted)),
    );
  }
  return faults;
}

type Look = <T>(path: string) => Promise<T | null>;

/** From the newest back to the account's first one. */
async function pages(look: Look, query: string): Promise<OrderRecord[]> {
  const shown: OrderRecord[] = [];
  for (let before = ''; ; ) {
    const page = (await look<OrderList>(`?limit=${PAGE}${query}${before}`))!;
    shown.push(...page.orders);
    if (page.before === undefined) return shown;
    before = `&before=${page.before}`;
  }
}

/** The newest order with a client id is the one that is found. */
async function wrongLookups(look: Look, noted: readonly OrderRecord[]): Promise<string[]> {
  const newest = new Map<string, OrderRecord>();
  for (const order of noted)
    if (order.clientId !== undefined && !newest.has(order.clientId)) newest.set(order.clientId, order);
  const faults: string[] = [];
  for (const [clientId, order] of [...newest].slice(0, LOOKED_UP)) {
    const byClientId = await look<OrderRecord>(`/client/${clientId}`);
    const byId = await look<OrderRecord>(`/${order.id}`);
    faults.push(...differences(`${clientId}, order ${order.id}`, [byClientId, byId], [order, order]));
  }
  return faults;
}

function differences(what: string, shown: readonly unknown[], noted: readonly OrderRecord[]): string[] {
  if (isDeepStrictEqual(shown, noted)) return [];
  const at = noted.findIndex((order, i) => !isDeepStrictEqual(order, shown[i]));
  const [one, other] = [noted[at], shown[at]].map((order) => JSON.stringify(order));
  return [`${what}: ${shown.length} shown and ${noted.length} in the log; ${other} is shown, not ${one}`];
}

/** Null for an unknown order. A start that has to make the history again answers 500 meanwhile. */
async function read<T>(url: string, token: string): Promise<T | null> {
  return eventually(url, async () => {
    const response = await fetch(url, { headers: { 'x-paper-token': token } });
    const body = (await response.json()) as T;
    if (response.status === 500) return null;
    return { found: response.status === 200 ? body : null };
  }).then(({ found }) => found);
}
