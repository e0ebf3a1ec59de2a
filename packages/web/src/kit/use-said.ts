/** Words for who listens to the page and does not see it: the one polite region reads them. */

import { useEffect } from 'react';
import { useTerminal } from './terminal.ts';

/** Has a text read when it appears, and again when it is another; null is silent. */
export function useSaid(text: string | null): void {
  const { stores } = useTerminal();
  useEffect(() => {
    if (text !== null) stores.said.setState({ polite: text });
  }, [stores, text]);
}
