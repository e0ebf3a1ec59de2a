/** Sizes of the page and its elements. */

import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** True when an element is narrower than the limit; known before the first paint. */
export function useIsNarrow(element: RefObject<HTMLElement | null>, limitPx: number): boolean {
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const observed = element.current!;
    const look = () => {
      // While hidden it has no width.
      if (observed.clientWidth > 0) setNarrow(observed.clientWidth < limitPx);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element, limitPx]);
  return isNarrow;
}

/** Follows a media query. */
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

/** The width of an element, rounded down to a step; null before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>, stepPx: number): number | null {
  const [widthPx, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const observed = element.current!;
    const look = () => {
      // While hidden it has none.
      if (observed.clientWidth > 0) setWidth(Math.floor(observed.clientWidth / stepPx) * stepPx);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element, stepPx]);
  return widthPx;
}
