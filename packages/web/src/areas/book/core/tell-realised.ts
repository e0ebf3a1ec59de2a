import { realisedOf, realisedText } from '../../../session/realised.ts';
import type { SessionStores } from '../../../session/state.ts';
import type { NoticeStores } from '../../notices/core/state.ts';

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Adds to the cards of orders what these have realised, once their fills have come: an answer does not say it. */
export function tellRealised({ holdings, notices }: Pick<SessionStores, 'holdings'> & NoticeStores): void {
  const look = () => {
    const waiting = notices.getState().list.flatMap(({ trade }) => trade ?? []);
    if (waiting.length === 0) return;
    const known = realisedOf(waiting, holdings.getState().fills);
    if (known.size === 0) return;
    notices.setState(({ list }) => ({
      list: list.map(({ trade, ...notice }) => {
        const realised = known.get(trade?.orderId ?? 0);
        if (realised !== undefined)
          return { ...notice, text: `${sentence(notice.text)}${realisedText(realised)}` };
        return trade === undefined ? notice : { ...notice, trade };
      }),
    }));
  };
  holdings.subscribe(({ fills }, before) => {
    if (fills !== before.fills) look();
  });
  // What is told changes the notices too.
  notices.subscribe(look);
}
