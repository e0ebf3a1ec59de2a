/** The button that sends: the act, and under it, smaller, price and money. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { Order } from './core/form/order.ts';
import type { SendWords } from './core/ticket/send-words.ts';

interface SendButtonProps {
  readonly formId: string;
  readonly sending: Order['sending'];
  readonly words: SendWords | string;
  /** False while the fields are no order. */
  readonly isWhole: boolean;
  /** True where the venue would refuse it; a press still asks the venue. */
  readonly isVain?: boolean;
}

/** States what a press does; disabled only while there is no order, or nobody who sends it. */
export function SendButton({ formId, sending, words, isWhole, isVain = false }: SendButtonProps): ReactNode {
  const { stores } = useTerminal();
  const session = useStore(stores.session, (state) => state.state);
  const mode = useStore(stores.link, (link) => link.mode);
  const said = SENDING_TEXTS[sending] ?? words;
  const { what, how } = typeof said === 'string' ? { what: said, how: '' } : said;
  return (
    <button
      type="submit"
      form={formId}
      className="send"
      data-is-vain={isVain || undefined}
      disabled={!isWhole || session !== 'ready' || sending !== 'no'}
    >
      <span>
        {mode === 'paper' && 'PAPER '}
        {what}
      </span>{' '}
      {how !== '' && <span className="send-how">{how}</span>}
    </button>
  );
}

const SENDING_TEXTS: Partial<Record<Order['sending'], string>> = {
  sending: 'Sending…',
  unknown: 'Checking…',
};
