/** The edges by which the parts of a wide screen are given other sizes. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { Divider } from './Divider.tsx';

/** Least width of the charts. */
const MARKET_PX_MIN = 340;
/** The least width of the chain with both of its sides, and of the gaps around it. */
const CHAIN_PX_MIN = 620;
const BOOK_PX_MIN = 100;
const ABOVE_BOOK_PX_MIN = 420;

export function RoomDividers(): ReactNode {
  const { stores } = useTerminal();
  const room = useStore(stores.room, (state) => state);
  return (
    <>
      {room.isMarketOpen && (
        <Divider
          label="Width of the charts"
          className="market-edge"
          direction="upright"
          part=".market-part"
          px={room.marketPx}
          bounds={() => ({
            least: MARKET_PX_MIN,
            most: innerWidth - widthOf('.side') - widthOf('.what-if-beside') - CHAIN_PX_MIN,
          })}
          onSize={(marketPx) => stores.room.setState({ marketPx })}
          onFold={() => stores.room.setState({ isMarketOpen: false })}
        />
      )}
      {room.isBookOpen && (
        <Divider
          label="Height of the book"
          className="book-edge"
          direction="flat"
          part=".dock"
          px={room.bookPx}
          bounds={() => ({ least: BOOK_PX_MIN, most: innerHeight - ABOVE_BOOK_PX_MIN })}
          onSize={(bookPx) => stores.room.setState({ bookPx })}
          onFold={() => stores.room.setState({ isBookOpen: false })}
        />
      )}
    </>
  );
}

function widthOf(part: string): number {
  return document.querySelector(part)?.clientWidth ?? 0;
}
