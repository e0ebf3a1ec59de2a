/** Hands the focus to the chain when the element that holds it is taken away. */

import { type RefObject, useLayoutEffect } from 'react';
import { focusChain } from './chain-keys.ts';

export function useFocusToChain(place: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = place.current;
    // React runs this before it takes the element away, so the element can still hold the focus.
    return () => {
      if (element !== document.activeElement) return;
      setTimeout(() => {
        if (document.activeElement === document.body) focusChain();
      });
    };
  }, [place]);
}
