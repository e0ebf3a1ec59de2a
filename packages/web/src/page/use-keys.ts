/** Keys that work while the chain or the ticket has the focus, and two that work anywhere but in a field. */

import { useEffect } from 'react';
import { MEANINGS, rowInWords } from '../areas/chain/chain-columns.ts';
import { focusChain, priceBeside, tabStopOf } from '../areas/chain/chain-keys.ts';
import { pressShifted } from '../areas/chain/hold-price.ts';
import { centreOnMoney } from '../areas/chain/money-line.ts';
import { contractOf } from '../areas/order/core/form/order.ts';
import type { Market } from '../market/market.ts';
import { seriesLabel } from '../market/series-label.ts';
import { type Terminal, useTerminal } from '../terminal/terminal.ts';

export function useKeys(): void {
  const terminal = useTerminal();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSend = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'Enter';
      if (isSend && sendTray(terminal, event.target as HTMLElement)) event.preventDefault();
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (press(terminal, event.key, event.target as HTMLElement)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [terminal]);
}

/** Sends the tray's order from the chain, where its legs are collected; returns whether the tray is there. */
function sendTray({ stores, actions }: Terminal, target: HTMLElement): boolean {
  if (!stores.tray.getState().isOpen || target.closest('table.chain, .leg-chip') === null) return false;
  actions.openTray((desk) => void desk.send());
  return true;
}

/** Handles a key; returns whether it did anything. */
function press(terminal: Terminal, key: string, target: HTMLElement): boolean {
  const chain = target.closest<HTMLTableElement>('table.chain');
  const isInTicket = target.closest('.ticket') !== null;
  if (key === '?' && (isInTicket || !isTextField(target))) {
    terminal.stores.view.setState({ isHelpOpen: true });
    return true;
  }
  if (key === '/' && !isTextField(target)) {
    terminal.stores.view.setState({ isSwitcherOpen: true });
    return true;
  }
  if (key === 'Escape' && (chain !== null || isInTicket)) return leaveTicket(terminal, isInTicket);
  if (chain === null && !isInTicket) return false;
  if (key.toLowerCase() === 'w' && chain === null) {
    const seriesId = contractOf(terminal.stores.ticket.getState());
    if (seriesId === null || target.closest('.sign-in, .more, dialog') !== null) return false;
    return watch(terminal, seriesId);
  }
  if (key === '[' || key === ']') return turnExpiry(terminal, key === ']' ? 1 : -1);
  return chain !== null && pressInChain(terminal, key.toLowerCase(), { chain, target });
}

interface Place {
  readonly chain: HTMLTableElement;
  readonly target: HTMLElement;
}

function pressInChain(terminal: Terminal, key: string, { chain, target }: Place): boolean {
  const price = target.closest<HTMLElement>('[data-pick]');
  switch (key) {
    case 'b':
    case 's': {
      const wanted = price === null ? null : priceBeside(price, key === 'b' ? 'buy' : 'sell');
      wanted?.focus();
      wanted?.click();
      return wanted !== null;
    }
    case '+':
      if (price === null) return false;
      pressShifted(price);
      return true;
    case 'w': {
      const strike = Number(price?.closest('tr')?.dataset.strike);
      const row = terminal.market.shape?.rows.find((one) => one.strike === strike);
      const leg = price?.classList.contains('call') ? row?.call : row?.put;
      return leg != null && watch(terminal, leg.seriesId);
    }
    case 'a': {
      terminal.market.recentre();
      const row = centreOnMoney(chain);
      row?.querySelector<HTMLElement>('[data-pick]')?.focus({ preventScroll: true });
      return true;
    }
    case 'r':
      if (price === null) return false;
      // Cleared first, so that the same text is announced again.
      terminal.stores.announcements.setState({ polite: '' });
      setTimeout(
        () => terminal.stores.announcements.setState({ polite: wordsOf(terminal, price.closest('tr')!) }),
        50,
      );
      return true;
    default:
      return false;
  }
}

/** Stars a contract, or takes its star away, and says which. */
function watch({ watchDesk, stores }: Terminal, seriesId: string): boolean {
  void watchDesk().then(async (desk) => {
    await desk.toggle(seriesId);
    const isWatched = desk.watched.getState().names.includes(seriesId);
    const words = `${seriesLabel(seriesId)} ${isWatched ? 'is on' : 'is off'} the watch list.`;
    stores.announcements.setState({ polite: words });
  });
  return true;
}

/** A row in words, including the columns hidden on narrow screens. */
function wordsOf({ market, format }: Terminal, row: HTMLElement): string {
  const strike = Number(row.dataset.strike);
  const shown = market.shape?.rows.find((one) => one.strike === strike);
  const sides = (['call', 'put'] as const).flatMap((side) => {
    const cells = [...row.querySelectorAll<HTMLElement>(`td.${side}`)];
    const values = cells.map((cell) => {
      const place = cell.className.split(' ')[1] as keyof typeof MEANINGS;
      return [MEANINGS[place][0], cell.textContent || '–'] as const;
    });
    return shown?.[side] == null || values.length === 0 ? [] : [[side, new Map(values)] as const];
  });
  return rowInWords(format.strike(strike), sides);
}

function turnExpiry({ stores, actions, market }: Terminal, step: 1 | -1): boolean {
  const { expiries, expiryTs } = stores.listing.getState();
  const next = expiries[expiries.indexOf(expiryTs ?? 0) + step];
  if (next === undefined) return true;
  actions.selectExpiry(next);
  focusWhenDrawn(market, next);
  return true;
}

/** The focused price disappears with its expiry; the next expiry's cells follow within moments. */
function focusWhenDrawn(market: Market, expiryTs: number, triesLeft = 100): void {
  const table = document.querySelector<HTMLTableElement>('table.chain[role="grid"]');
  if (market.shape?.expiryTs === expiryTs && table !== null) {
    // Unless the person moved on meanwhile.
    if (document.activeElement === document.body) tabStopOf(table)?.focus({ preventScroll: true });
  } else if (triesLeft > 0) setTimeout(() => focusWhenDrawn(market, expiryTs, triesLeft - 1), 50);
}

/** Returns to the price that was picked, or else to the chain's tab stop. The tray has a key of its own for itself. */
function leaveTicket({ stores, desk, actions }: Terminal, isInTicket: boolean): boolean {
  if (stores.tray.getState().isOpen && !isInTicket) {
    actions.openTray((tray) => tray.hide());
    return true;
  }
  if (!stores.ticket.getState().isOpen && !isInTicket) return false;
  desk.close();
  focusChain();
  return true;
}

function isTextField(element: HTMLElement): boolean {
  return element.matches('input:not([type="radio"], [type="checkbox"]), textarea, select');
}
