/** The paper accounts of this browser, as this tab or another last left them. */

import { useEffect, useState } from 'react';
import { openTabs } from '../basics/tabs.ts';
import type { PaperAccount } from '../session/paper-accounts.ts';
import { useTerminal } from './terminal.ts';

export interface Papers {
  /** Null until it is read. */
  readonly list: readonly PaperAccount[] | null;
  /** Reads the list again, here and in all tabs. */
  readonly tell: () => void;
}

export function usePapers(): Papers {
  const { sessions } = useTerminal();
  const [list, setList] = useState<readonly PaperAccount[] | null>(null);
  const [told, setTold] = useState(0);
  useEffect(() => {
    const tabs = openTabs(() => setTold((count) => count + 1));
    return () => tabs.end();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever somebody told
  useEffect(() => {
    let isLast = true;
    void sessions.papers.list().then((read) => isLast && setList(read));
    return () => {
      isLast = false;
    };
  }, [sessions, told]);
  const tell = () => {
    const tabs = openTabs(() => {});
    tabs.tell();
    tabs.end();
  };
  return { list, tell };
}
