/** The outcome of a combo, in words for its card (CMB-1). */

import type { ComboFill, OrderRecord } from '@venue/protocol';
import { formatSize } from '../../../../basics/numbers.ts';
import type { Notice } from '../../../notices/core/state.ts';
import { FOUND } from '../form/lost-words.ts';
import { filledOf, type TrayTerms } from './terms.ts';
import { netWords, spreadName } from './words.ts';

type Words = Pick<Notice, 'tone' | 'text'>;

/** The result of a combo that the venue took: whole, in part, or not at all. */
export function comboWords(terms: TrayTerms, fills: readonly ComboFill[], nowMs: number): Words {
  return tradedWords(terms, filledOf(terms, fills), nowMs);
}

/** The same by the venue's record of it; null stands for none, as of an order that was declined. */
export function recordWords(terms: TrayTerms, record: OrderRecord | null, nowMs: number): Words {
  if (record === null)
    return { tone: 'warning', text: 'The venue received it and declined it. Nothing traded.' };
  const { filledQty, avgPrice } = record;
  const found = tradedWords(terms, { units: filledQty, net: avgPrice ?? Number.NaN }, nowMs);
  return { ...found, text: `${FOUND}${found.text}` };
}

function tradedWords(
  terms: TrayTerms,
  { units, net }: { readonly units: number; readonly net: number },
  nowMs: number,
): Words {
  const { side } = spreadName(terms.legs, nowMs);
  if (units === 0)
    return {
      tone: 'plain',
      text: `Nothing traded: no unit could fill ${netWords(terms.net, side)}. Combos do not rest.`,
    };
  const filled = `${formatSize(units)} filled ${netWords(net, side)}`;
  if (units >= terms.qty) return { tone: 'good', text: `${filled}.` };
  const rest = formatSize(terms.qty - units);
  return { tone: 'plain', text: `${filled}, ${rest} cancelled: combos do not rest.` };
}
