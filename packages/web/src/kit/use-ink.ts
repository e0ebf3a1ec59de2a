/** The page's colours as computed values for a canvas, updated when the scheme changes. */

import { type RefObject, useLayoutEffect, useState } from 'react';

const NAMES = ['page', 'text', 'muted', 'line', 'raised', 'good', 'danger'] as const;
export type Ink = Readonly<Record<(typeof NAMES)[number], string>> & { readonly font: string };

/** Null until the element is mounted. */
export function useInk(ref: RefObject<HTMLElement | null>): Ink | null {
  const [ink, setInk] = useState<Ink | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const read = () => setInk(inkOf(element));
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const root = new MutationObserver(read);
    scheme.addEventListener('change', read);
    root.observe(document.documentElement, { attributes: true });
    read();
    return () => {
      scheme.removeEventListener('change', read);
      root.disconnect();
    };
  }, [ref]);
  return ink;
}

/** A token may refer to another one or depend on the scheme, so only the computed colour is usable. */
function inkOf(element: HTMLElement): Ink {
  const probe = document.createElement('span');
  element.append(probe);
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  const font = getComputedStyle(element).fontFamily;
  probe.remove();
  return { ...Object.fromEntries(colours), font } as Ink;
}
