/** The inside of a button that sends: the act, and under it, smaller, price and money. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { SendWords } from './core/ticket/send-words.ts';

export function SendLines({ words }: { readonly words: SendWords | string }): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const { what, how } = typeof words === 'string' ? { what: words, how: '' } : words;
  return (
    <>
      <span>
        {mode === 'paper' && <span className="paper-tag">PAPER </span>}
        {what}
      </span>{' '}
      {how !== '' && <span className="send-how">{how}</span>}
    </>
  );
}
