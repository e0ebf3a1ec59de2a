/** Announcements for screen readers, through the page's one polite region. */

import { useEffect } from 'react';
import { useTerminal } from './terminal.ts';

/** Announces a text when it appears, and again when it changes; null is silent. */
export function useAnnouncement(text: string | null): void {
  const { stores } = useTerminal();
  useEffect(() => {
    if (text !== null) stores.announcements.setState({ polite: text });
  }, [stores, text]);
}
