/** Keeps the strikes under the pointer where they are while a banner above the chain comes, grows or goes. */

import { type RefObject, useLayoutEffect } from 'react';

/** Scrolls the chain by what the banners move it, before the frame is painted. */
export function useSteadyChain(banners: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const section = banners.current!;
    let height = section.offsetHeight;
    const observer = new ResizeObserver(() => {
      const moved = section.offsetHeight - height;
      height += moved;
      if (moved === 0) return;
      for (const chain of document.querySelectorAll('.chain-scroll')) chain.scrollTop += moved;
    });
    observer.observe(section);
    return () => observer.disconnect();
  }, [banners]);
}
