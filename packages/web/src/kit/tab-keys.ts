/** The arrow keys of a list of tabs. */

import type { KeyboardEvent } from 'react';

export interface TabList<T> {
  /** As they stand, a button each. */
  readonly tabs: readonly T[];
  readonly chosen: T | null;
  readonly choose: (tab: T) => void;
}

/**
 * What the tab list does with a key: the arrows choose the tab beside, Home and End the outermost, and the focus goes
 * along.
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

/** Null for a key that means nothing here. */
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
