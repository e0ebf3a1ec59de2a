/** Signing in removes the pressed button, so the focus moves back to where the person was. */

import { useEffect } from 'react';
import { focusField } from '../kit/focus-field.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';

/** For each place with a sign-in, the element focused afterwards. */
const PLACES: readonly (readonly [place: string, target: string])[] = [
  ['.ticket', '.ticket input[name="qty"]'],
  ['.dock', '.dock [role="tabpanel"]'],
  ['.session-menu', '.session-button'],
];

export function useFocusAfterSignIn(): void {
  const { stores } = useTerminal();
  const isReady = useStore(stores.session, ({ state }) => state === 'ready');
  useEffect(() => {
    if (isReady) return undefined;
    let last: string | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      last = PLACES.find(([place]) => (target as Element).closest(place) !== null)?.[1] ?? null;
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
      const { activeElement } = document;
      const isLost = activeElement === null || activeElement === document.body;
      if (!isLost || last === null) return;
      const target = document.querySelector<HTMLElement>(last);
      if (target instanceof HTMLInputElement) focusField(target);
      else target?.focus({ preventScroll: true });
    };
  }, [isReady]);
}
