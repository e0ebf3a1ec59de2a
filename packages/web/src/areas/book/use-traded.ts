/** The orders that the account has traded, read from its closed orders. */

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { TradedOrder } from '../../session/state.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { tradedOrders, withTraded } from './core/known-combos.ts';

/** The most that one answer has. */
const FIRST_ORDERS = 500;
/** Another program may trade many times a second. */
const EVERY_MS = 1_000;
/** After a reading that failed. */
const AGAIN_MS = 3_000;
/** So long the first sight waits for the history; then strategies are recognised in the holdings alone. */
const WAIT_MS = 1_500;
const NONE: readonly TradedOrder[] = [];

/**
 * @param held what is held, in a text that changes with each quantity; null if no orders are wanted
 * @returns null while the first answer may still come
 */
export function useTraded(held: string | null): readonly TradedOrder[] | null {
  const { stores } = useTerminal();
  const traded = useStore(stores.holdings, (holdings) => holdings.traded);
  const [isLate, setIsLate] = useState(false);
  const waits = held !== null && traded === null;
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setIsLate(true), WAIT_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [waits]);
  useReading(held);
  return traded ?? (isLate ? NONE : null);
}

/** Reads at once when what is held changes, a second after the last reading at the earliest, and until it succeeds. */
function useReading(held: string | null): void {
  const reading = useRef<Reading>({ address: null });
  const read = useRead(reading);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (held === null) {
      // Any number of orders may close before strategies are shown again.
      reading.current = { address: null };
      return;
    }
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const readIn = (ms: number) => {
      timer = setTimeout(async () => {
        lastMs.current = performance.now();
        if (!(await read()) && !isOver) readIn(AGAIN_MS);
      }, ms);
    };
    readIn(lastMs.current + EVERY_MS - performance.now());
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [held, read]);
}

/** The account whose closed orders were read since strategies were last shown. */
interface Reading {
  address: string | null;
}

/** Reads the newest closed orders; true once they are taken. A first reading takes as many as one answer has. */
function useRead(reading: RefObject<Reading>): () => Promise<boolean> {
  const { stores, client, closedOrders, take } = useTerminal();
  return useCallback(async () => {
    if (!take()) return false;
    const mine = reading.current;
    const { address } = stores.session.getState();
    try {
      const { orders } =
        mine.address !== address
          ? await client.orders.list({ status: 'closed', limit: FIRST_ORDERS })
          : await closedOrders(null);
      // Another account may have signed in meanwhile.
      if (stores.session.getState().address !== address) return false;
      mine.address = address;
      stores.holdings.setState(({ traded }) => ({
        traded: withTraded(traded ?? NONE, tradedOrders(orders)),
      }));
      return true;
    } catch {
      return false;
    }
  }, [stores, client, closedOrders, take, reading]);
}
