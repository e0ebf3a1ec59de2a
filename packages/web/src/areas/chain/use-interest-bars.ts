/** Keeps the bars behind the strikes as the market has them; bypasses React, and looks rarely, as they move slowly. */

import { type RefObject, useLayoutEffect } from 'react';
import { formatSize } from '../../basics/numbers.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { interestOf } from './core/interest.ts';
import { InterestBars } from './core/interest-bars.ts';

const EVERY_MS = 2_000;

/** @param drawn changes with the rows of the table; null while there are none */
export function useInterestBars(table: RefObject<HTMLTableElement | null>, drawn: object | null): void {
  const { market } = useTerminal();
  useLayoutEffect(() => {
    const body = table.current?.tBodies[0];
    if (body === undefined || drawn === null) return undefined;
    const bars = new InterestBars(body);
    const show = () => {
      const { shape } = market;
      if (shape === null) return;
      const shares = interestOf(shape, (leg, column) => market.value(leg, column));
      shape.rows.forEach(({ strike, call, put }, i) => {
        const sum = (column: 'oi' | 'volume') =>
          [call, put].map((leg) => formatSize(leg === null ? Number.NaN : market.value(leg, column)));
        const [oi, volume] = [sum('oi'), sum('volume')];
        const title = `Open interest: calls ${oi[0]}, puts ${oi[1]}. Volume in 24 h: calls ${volume[0]}, puts ${volume[1]}.`;
        bars.show(strike, { share: shares[i]!, title });
      });
    };
    show();
    const timer = setInterval(show, EVERY_MS);
    return () => clearInterval(timer);
  }, [market, table, drawn]);
}
