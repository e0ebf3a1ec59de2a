/** Books of contracts, kept by their channels while a component shows them. */

import type { LocalBook } from '@venue/sdk/browser';
import { useEffect, useState } from 'react';
import { useTerminal } from './terminal.ts';

const DRAW_EVERY_MS = 500;
const NONE: ReadonlyMap<string, LocalBook> = new Map();

/**
 * By series; without those that may be old: before their first message, while one is missing, and once the series has
 * ended. Re-renders when one changes, twice a second at most.
 */
export function useBooks(seriesIds: readonly string[]): ReadonlyMap<string, LocalBook> {
  const { channels } = useTerminal();
  const [shown, setShown] = useState({ books: NONE });
  const wanted = seriesIds.join(' ');
  useEffect(() => {
    const ids = wanted.split(' ').filter((id) => id !== '');
    const books = new Map(ids.map((id) => [id, channels.book(id)]));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawnMs = 0;
    const draw = () => {
      timer = undefined;
      drawnMs = performance.now();
      setShown({ books: new Map([...books].filter(([, book]) => book.isRight)) });
    };
    const drawSoon = () => {
      timer ??= setTimeout(draw, Math.max(0, drawnMs + DRAW_EVERY_MS - performance.now()));
    };
    for (const book of books.values()) book.onChange(drawSoon);
    return () => {
      for (const book of books.values()) book.close();
      clearTimeout(timer);
    };
  }, [channels, wanted]);
  return shown.books;
}

/** The book of a contract; null while it is not there, or may be old. */
export function useBook(seriesId: string | null): LocalBook | null {
  return useBooks(seriesId === null ? [] : [seriesId]).get(seriesId ?? '') ?? null;
}
