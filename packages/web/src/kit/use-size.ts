/** How much room the page and an element have. */

import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** Whether an element is narrower than that; known before it is first painted. */
export function useIsNarrow(element: RefObject<HTMLElement | null>, limitPx: number): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const observed = element.current!;
    const look = () => {
      // Hidden, it has no width to go by.
      if (observed.clientWidth > 0) setNarrow(observed.clientWidth < limitPx);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element, limitPx]);
  return isNarrow;
}

/** Whether the screen is as a media query says; followed as it changes. */
export function useMatches(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}
