/** The menu of a row of the chain: what can be done with a contract, by its name. */

import { type KeyboardEvent, type ReactNode, use, useEffect, useRef } from 'react';
import { showContract } from '../../kit/NameButton.tsx';
import type { Leg } from '../../market/market.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { askAlert } from './ask-alert.ts';
import styles from './RowMenu.module.css';

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
      className={styles.rowMenu}
      role="menu"
      aria-label="Contract"
      onKeyDown={moveByKeys}
      onToggle={({ newState }) => newState === 'closed' && onEnd()}
    >
      {asked.legs.map((leg) => (
        <Items key={leg.seriesId} leg={leg} onDone={() => menu.current?.hidePopover()} />
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
  readonly leg: Leg;
  readonly onDone: () => void;
}

function Items({ leg, onDone }: ItemsProps): ReactNode {
  const { seriesId } = leg;
  const terminal = useTerminal();
  const desk = use(terminal.watchDesk());
  const isWatched = useStore(desk.watched, ({ names }) => names.includes(seriesId));
  const label = seriesLabel(seriesId);
  const isHeld = useStore(terminal.stores.holdings, ({ positions }) => positions.has(seriesId));
  const { pickPrice, addLeg, closePosition } = terminal.actions;
  const items: readonly (readonly [text: string, act: () => void])[] = [
    [`Buy ${label}…`, () => pickPrice(leg, 'buy')],
    [`Sell ${label}…`, () => pickPrice(leg, 'sell')],
    ...(isHeld ? ([[`Close ${label}…`, () => closePosition(seriesId)]] as const) : []),
    [`Buy ${label} as a leg`, () => addLeg(leg, 'buy')],
    [`Sell ${label} as a leg`, () => addLeg(leg, 'sell')],
    [`Chart of ${label}`, () => showContract(terminal, seriesId)],
    [isWatched ? `★ Stop watching ${label}` : `☆ Watch ${label}`, () => void desk.toggle(seriesId)],
    [`Alert on ${label}…`, () => void askAlert(terminal, seriesId)],
  ];
  return items.map(([text, act]) => (
    <button
      key={text}
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        onDone();
        act();
      }}
    >
      {text}
    </button>
  ));
}
