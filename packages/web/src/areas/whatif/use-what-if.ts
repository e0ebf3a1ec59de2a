/** A what-if as the worker answers it. */

import { useEffect, useRef, useState } from 'react';
import type { Book } from './core/book.ts';
import type { Answer, Survey } from './core/messages.ts';
import { WhatIfThread } from './core/thread.ts';
import type { Imagined } from './core/what-if.ts';

export interface Answers {
  readonly answer: Answer | null;
  readonly survey: Survey | null;
  /** True if the worker cannot be started, or has failed. */
  readonly hasFailed: boolean;
}

const NONE: Answers = { answer: null, survey: null, hasFailed: false };

/** The last answers stay until the next. */
export function useWhatIf(book: Book | null, { spot, vol, days }: Imagined): Answers {
  const [answers, setAnswers] = useState(NONE);
  const thread = useRef<WhatIfThread | null>(null);
  useEffect(() => {
    const opened = new WhatIfThread({
      onReply: (reply) => setAnswers((before) => ({ ...before, ...reply, hasFailed: false })),
      onFailed: () => setAnswers({ ...NONE, hasFailed: true }),
    });
    thread.current = opened;
    return () => opened.end();
  }, []);
  useEffect(() => {
    if (book !== null) thread.current?.ask(book, { spot, vol, days });
  }, [book, spot, vol, days]);
  return answers;
}
