/** Offers defined-risk margin for an order that would lock far more without it, or that margin has to be turned on for. */

import { type ReactNode, useState } from 'react';
import { formatUsd } from '../../../basics/numbers.ts';
import { useTerminal } from '../../../terminal/terminal.ts';
import { useAnnouncement } from '../../../terminal/use-announcement.ts';
import type { MarginOffer as Offer } from '../core/tray/margin-offer.ts';
import type { TrayTerms } from '../core/tray/terms.ts';
import { useMarginOffer } from './use-margin-offer.ts';

interface MarginOfferProps {
  readonly terms: Pick<TrayTerms, 'legs' | 'qty'> | null;
  /** The order sells short, and margin is off. */
  readonly isOff: boolean;
}

export function MarginOffer({ terms, isOff }: MarginOfferProps): ReactNode {
  const { actions } = useTerminal();
  const offer = useMarginOffer(terms);
  const [refusal, setRefusal] = useState<string | null>(null);
  useAnnouncement(refusal);
  if (offer === null && !isOff) return null;
  const accept = async () => {
    setRefusal(null);
    setRefusal(await actions.setMarginMode('defined-risk', { turnsOn: isOff }));
  };
  return (
    <p className="margin-offer">
      {isOff && <strong>Margin is off: turn it on to sell.</strong>}{' '}
      {offer !== null && offerText(offer, isOff)}{' '}
      <button type="button" onClick={() => void accept()}>
        {isOff ? 'Turn on defined-risk margin' : 'Switch to it'}
      </button>
      {refusal !== null && <strong className="fault"> {refusal}</strong>}
    </p>
  );
}

/** Without margin nothing is locked yet: what it would be instead of is the other mode. */
function offerText({ definedRisk, present }: Offer, isOff: boolean): string {
  const amounts = [formatUsd(definedRisk), formatUsd(present)] as const;
  return isOff
    ? `Defined-risk margin would lock ${amounts[0]}; leg by leg it would be ${amounts[1]}.`
    : `Defined-risk margin locks ${amounts[0]} instead of ${amounts[1]}.`;
}
