/** Keyboard navigation of a tab list. */

import type { KeyboardEvent } from 'react';

export interface TabList<T> {
  /** In order, one button each. */
  readonly tabs: readonly T[];
  readonly chosen: T | null;
  readonly choose: (tab: T) => void;
}

/**
 * Key handler of a tab list: arrow keys choose the neighbouring tab, Home and End the first and last, and the focus
 * follows.
 *
 * @example <div role="tablist" onKeyDown={tabKeys({ tabs, chosen, choose })}>
 */
export function tabKeys<T>({
  tabs,
  chosen,
  choose,
}: TabList<T>): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const at = goalOf(event.key, {
      from: chosen === null ? -1 : tabs.indexOf(chosen),
      last: tabs.length - 1,
    });
    const next = at === null ? undefined : tabs[at];
    if (at === null || next === undefined) return;
    event.preventDefault();
    choose(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[at]?.focus();
  };
}

/** Null for any other key. */
function goalOf(
  key: string,
  { from, last }: { readonly from: number; readonly last: number },
): number | null {
  switch (key) {
    case 'ArrowRight':
      return from + 1;
    case 'ArrowLeft':
      return from - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
