/** The combos that the account has traded, read from its closed orders: a combo rests nowhere. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { type TradedCombo, tradedCombos, withTraded } from '../core/account/known-combos.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';

/** The most that one answer has. */
const FIRST_ORDERS = 500;
/** Another program may trade many times a second. */
const EVERY_MS = 1_000;
/** After a reading that failed. */
const AGAIN_MS = 3_000;
/** So long the first sight waits for the history; then strategies are recognised in the holdings alone. */
const WAIT_MS = 1_500;
const NONE: readonly TradedCombo[] = [];

/**
 * @param held what is held, in a text that changes with each quantity; null if no combos are wanted
 * @returns null while the first answer may still come
 */
export function useCombos(held: string | null): readonly TradedCombo[] | null {
  const { stores } = useTerminal();
  const combos = useStore(stores.holdings, (holdings) => holdings.combos);
  const [isLate, setIsLate] = useState(false);
  const waits = held !== null && combos === null;
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setIsLate(true), WAIT_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [waits]);
  useReading(held);
  return combos ?? (isLate ? NONE : null);
}

/** Reads at once when what is held changes, a second after the last reading at the earliest, and until it succeeds. */
function useReading(held: string | null): void {
  const read = useRead();
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (held === null) return;
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

/**
 * Reads the newest closed orders; true once they are taken. The first reading for an account, after each time that nothing
 * showed strategies, takes as many as one answer has: any number may have closed meanwhile.
 */
function useRead(): () => Promise<boolean> {
  const { stores, client, closedOrders, take } = useTerminal();
  const readFor = useRef<string | null>(null);
  return useCallback(async () => {
    if (!take()) return false;
    const { address } = stores.session.getState();
    try {
      const { orders } =
        readFor.current !== address
          ? await client.orders.list({ status: 'closed', limit: FIRST_ORDERS })
          : await closedOrders(null);
      // Another account may have signed in meanwhile.
      if (stores.session.getState().address !== address) return false;
      readFor.current = address;
      stores.holdings.setState(({ combos }) => ({
        combos: withTraded(combos ?? NONE, tradedCombos(orders)),
      }));
      return true;
    } catch {
      return false;
    }
  }, [stores, client, closedOrders, take]);
}
