/** Books of contracts, kept by their channels while a component shows them. */

import type { LocalBook } from '@venue/sdk/browser';
import { useEffect, useState } from 'react';
import { useTerminal } from './terminal.ts';

const DRAW_EVERY_MS = 500;
const NONE: Followed = { books: new Map(), errors: new Map() };

interface Followed {
  /** Without those that may be old. */
  readonly books: ReadonlyMap<string, LocalBook>;
  /** Why there is none and will be none. */
  readonly errors: ReadonlyMap<string, Error>;
}

/**
 * By series; without those that may be old: before their first message, while one is missing, and once the series has
 * ended. Re-renders when one changes, twice a second at most.
 */
export function useBooks(seriesIds: readonly string[]): ReadonlyMap<string, LocalBook> {
  return useFollowed(seriesIds).books;
}

function useFollowed(seriesIds: readonly string[]): Followed {
  const { channels } = useTerminal();
  const [shown, setShown] = useState(NONE);
  const wanted = seriesIds.join(' ');
  useEffect(() => {
    const ids = wanted.split(' ').filter((id) => id !== '');
    const books = new Map(ids.map((id) => [id, channels.book(id)]));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawnMs = 0;
    const draw = () => {
      timer = undefined;
      drawnMs = performance.now();
      const ended = [...books].flatMap(([id, { error }]) => (error === null ? [] : [[id, error] as const]));
      setShown({ books: new Map([...books].filter(([, book]) => book.isRight)), errors: new Map(ended) });
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
  return shown;
}

/** The book of a contract; null while it is not there, or may be old. */
export function useBook(seriesId: string | null): LocalBook | null {
  return useBookOrError(seriesId).book;
}

/** The book of a contract, or why it has none and will have none; both are null while it is read. */
export function useBookOrError(seriesId: string | null): {
  readonly book: LocalBook | null;
  readonly error: Error | null;
} {
  const { books, errors } = useFollowed(seriesId === null ? [] : [seriesId]);
  return { book: books.get(seriesId ?? '') ?? null, error: errors.get(seriesId ?? '') ?? null };
}
