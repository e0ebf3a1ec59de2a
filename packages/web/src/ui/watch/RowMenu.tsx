/** The menu of a row of the chain: watches a contract, or asks for an alert on it. */

import { type KeyboardEvent, type ReactNode, use, useEffect, useRef } from 'react';
import type { Leg } from '../../core/chain/market.ts';
import { seriesLabel } from '../../kit/series-label.ts';
import { useStore, useTerminal } from '../../kit/terminal.ts';
import { askAlert } from '../ask-alert.ts';
import './RowMenu.css';

/** Where the menu was asked for, in CSS pixels of the window, and for which contracts. */
export interface AskedMenu {
  readonly xPx: number;
  readonly yPx: number;
  readonly legs: readonly Leg[];
}

interface RowMenuProps {
  readonly asked: AskedMenu;
  readonly onEnd: () => void;
}

const MARGIN_PX = 8;

/** Closed by a choice, Escape or a press beside it, after which the focus is where it was. */
export function RowMenu({ asked, onEnd }: RowMenuProps): ReactNode {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = menu.current!;
    box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${within(asked.xPx, innerWidth - width)}px`;
    box.style.top = `${within(asked.yPx, innerHeight - height)}px`;
    itemsOf(box)[0]?.focus();
  }, [asked]);
  return (
    <div
      ref={menu}
      popover="auto"
      className="row-menu"
      role="menu"
      aria-label="Contract"
      onKeyDown={moveByKeys}
      onToggle={({ newState }) => newState === 'closed' && onEnd()}
    >
      {asked.legs.map(({ seriesId }) => (
        <Items key={seriesId} seriesId={seriesId} onDone={() => menu.current?.hidePopover()} />
      ))}
    </div>
  );
}

function within(px: number, most: number): number {
  return Math.max(MARGIN_PX, Math.min(px, most - MARGIN_PX));
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // The chain has keys of its own.
  event.stopPropagation();
  if (step === undefined) return;
  event.preventDefault();
  const items = itemsOf(event.currentTarget);
  items.at((items.indexOf(event.target as HTMLElement) + step) % items.length)?.focus();
}

interface ItemsProps {
  readonly seriesId: string;
  readonly onDone: () => void;
}

function Items({ seriesId, onDone }: ItemsProps): ReactNode {
  const terminal = useTerminal();
  const desk = use(terminal.watchDesk());
  const isWatched = useStore(desk.watched, ({ names }) => names.includes(seriesId));
  const label = seriesLabel(seriesId);
  const watch = () => {
    onDone();
    void desk.toggle(seriesId);
  };
  const ask = () => {
    onDone();
    void askAlert(terminal, seriesId);
  };
  return (
    <>
      <button type="button" role="menuitem" tabIndex={-1} onClick={watch}>
        {isWatched ? `★ Stop watching ${label}` : `☆ Watch ${label}`}
      </button>
      <button type="button" role="menuitem" tabIndex={-1} onClick={ask}>
        Alert on {label}…
      </button>
    </>
  );
}
