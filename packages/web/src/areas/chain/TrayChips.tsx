/** The tray's legs on their strikes in the chain: chips that are dragged to another strike, or moved by arrow keys. */

import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  use,
  useLayoutEffect,
  useState,
} from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { TrayDesk } from '../order/core/tray/desk.ts';
import { type NamedLeg, namedLegs } from '../order/core/tray/legs.ts';
import { legWords } from '../order/core/tray/words.ts';
import type { ChainSides } from './chain-columns.ts';
import type { ShownRow } from './use-chain-rows.ts';
import './TrayChips.css';

interface TrayChipsProps {
  readonly table: RefObject<HTMLTableElement | null>;
  readonly sides: ChainSides;
  readonly rows: readonly ShownRow[];
}

export function TrayChips({ table, sides, rows }: TrayChipsProps): ReactNode {
  const { stores, trayDesk } = useTerminal();
  const desk = use(trayDesk());
  const legs = useStore(stores.tray, (tray) => tray.legs);
  const expiryTs = useStore(stores.listing, (listing) => listing.expiryTs);
  const places = usePlaces(table, rows);
  return namedLegs(legs).map((leg, i) => {
    const place = places.get(leg.strike);
    const isShown = sides === 'both' || (sides === 'call') === (leg.right === 'C');
    if (place === undefined || leg.expiryTs !== expiryTs || !isShown) return null;
    // A leg that is dragged is another series in the same place.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Chip key={`leg ${i + 1}`} {...{ desk, leg, place, table, isList: sides !== 'both' }} />;
  });
}

/** Where a strike stands in what scrolls, in pixels. */
interface StrikePlace {
  readonly top: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
}

/** Measured again when the rows change, or the room for them. */
function usePlaces(
  table: RefObject<HTMLTableElement | null>,
  rows: readonly ShownRow[],
): ReadonlyMap<number, StrikePlace> {
  const [places, setPlaces] = useState<ReadonlyMap<number, StrikePlace>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows stand in other places
  useLayoutEffect(() => {
    const element = table.current;
    if (element === null) return undefined;
    const measure = () => setPlaces(placesIn(element));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [table, rows]);
  return places;
}

function placesIn(table: HTMLTableElement): Map<number, StrikePlace> {
  const origin = table.getBoundingClientRect();
  const places = new Map<number, StrikePlace>();
  for (const row of table.querySelectorAll<HTMLElement>('tr[data-strike]')) {
    const box = row.querySelector('.strike')!.getBoundingClientRect();
    const [left, right] = [box.left - origin.left, box.right - origin.left];
    places.set(Number(row.dataset.strike), { top: box.top - origin.top, height: box.height, left, right });
  }
  return places;
}

interface ChipProps {
  readonly desk: TrayDesk;
  readonly leg: NamedLeg;
  readonly place: StrikePlace;
  readonly table: RefObject<HTMLTableElement | null>;
  /** One side as a list: its own cell follows the strike. */
  readonly isList: boolean;
}

const CHIP_PX = 36;

function Chip({ desk, leg, place, table, isList }: ChipProps): ReactNode {
  const { seriesId, side, ratio } = leg;
  const isLeft = leg.right === 'C' && !isList;
  const drag = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const strike = strikeAt(table.current!, event.clientY);
    if (strike !== null && strike !== leg.strike) desk.move(seriesId, strike);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    desk.step(seriesId, event.key === 'ArrowDown' ? 1 : -1);
  };
  const words = `${side === 'buy' ? 'Buys' : 'Sells'} ${ratio} ${legWords(leg, Date.now())}`;
  return (
    <button
      type="button"
      className={`leg-chip ${side}`}
      style={{
        top: place.top + 2,
        left: isLeft ? place.left - CHIP_PX : place.right,
        width: CHIP_PX,
        height: place.height - 4,
      }}
      aria-label={`${words}. Arrow keys move it to another strike`}
      title={`${words}: drag it to another strike`}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    >
      {side === 'buy' ? '+' : '−'}
      {ratio}
    </button>
  );
}

/** The strike of the row at a height of the window; null beside all rows. */
function strikeAt(table: HTMLTableElement, y: number): number | null {
  for (const row of table.querySelectorAll<HTMLElement>('tr[data-strike]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (y >= top && y < bottom) return Number(row.dataset.strike);
  }
  return null;
}
