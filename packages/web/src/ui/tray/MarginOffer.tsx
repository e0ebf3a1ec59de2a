/** Offers defined-risk margin for an order that would lock far more without it, or that margin has to be turned on for. */

import { type ReactNode, useState } from 'react';
import { formatUsd } from '../../core/numbers.ts';
import type { TrayTerms } from '../../core/tray/terms.ts';
import { useTerminal } from '../../kit/terminal.ts';
import { useAnnouncement } from '../../kit/use-announcement.ts';
import { useMarginOffer } from './use-margin-offer.ts';

interface MarginOfferProps {
  readonly terms: TrayTerms | null;
  /** The venue declines the order as margin is off. */
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
      {offer === null
        ? 'Selling short takes margin.'
        : `Defined-risk margin locks ${formatUsd(offer.definedRisk)} instead of ${formatUsd(offer.present)}.`}{' '}
      <button type="button" onClick={() => void accept()}>
        {isOff ? 'Turn on margin' : 'Switch to it'}
      </button>
      {refusal !== null && <strong className="fault"> {refusal}</strong>}
    </p>
  );
}
