/** A row's menu, by the right button of the mouse, the menu key, or a long press beside the prices. */

import { type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { later } from '../../kit/later.tsx';
import type { ChainShape, Leg, StrikeRow } from '../../market/market.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import type { AskedMenu } from '../watch/RowMenu.tsx';
import type { ChainSides } from './chain-columns.ts';

const RowMenu = later(async () => (await import('../watch/late.ts')).RowMenu);

/** The handler for the table of the chain, and the menu once it was asked for. */
export function useChainMenu(): readonly [onContextMenu: (event: MouseEvent) => void, menu: ReactNode] {
  const { market } = useTerminal();
  const [asked, setAsked] = useState<AskedMenu | null>(null);
  const onContextMenu = (event: MouseEvent) => {
    const next = askedBy(event, market.shape);
    if (next === null) return;
    event.preventDefault();
    setAsked(next);
  };
  const menu = asked !== null && (
    <Suspense fallback={null}>
      <RowMenu asked={asked} onEnd={() => setAsked(null)} />
    </Suspense>
  );
  return [onContextMenu, menu];
}

/** The contract of the half that was pressed, or both at the strike; null for none, and for a price held to be a leg. */
function askedBy(event: MouseEvent, shape: ChainShape | null): AskedMenu | null {
  const { target, clientX: xPx, clientY: yPx, nativeEvent } = event;
  const cell = (target as HTMLElement).closest<HTMLTableCellElement>('td, th[scope="row"]');
  const isFinger = 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch';
  if (cell === null || (isFinger && cell.dataset.pick !== undefined)) return null;
  const line = cell.closest('tr')!;
  const row = shape?.rows.find(({ strike }) => strike === Number(line.dataset.strike));
  if (row === undefined) return null;
  const legs = legsAt(cell, row, line.closest('table')!.dataset.sides as ChainSides);
  return legs.length === 0 ? null : { xPx, yPx, legs };
}

function legsAt(cell: HTMLTableCellElement, { call, put }: StrikeRow, sides: ChainSides): Leg[] {
  const at = cell.closest('tr')!.querySelector<HTMLTableCellElement>('th')!.cellIndex;
  const isOf = (side: 'call' | 'put') =>
    sides === 'both' ? cell.cellIndex === at || (side === 'call') === cell.cellIndex < at : side === sides;
  return [...(call !== null && isOf('call') ? [call] : []), ...(put !== null && isOf('put') ? [put] : [])];
}
