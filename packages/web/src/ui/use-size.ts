/** How much room an element has. */

import { type RefObject, useLayoutEffect, useState } from 'react';

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
