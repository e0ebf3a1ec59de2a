/** The words behind the button over every chain. */

import type { ReactNode } from 'react';

export function HowItSettles(): ReactNode {
  return (
    <>
      <h2>How an expiry settles</h2>
      <ol>
        <li>Trading ends at 20:00 in New York, to the millisecond. Resting orders are then cancelled.</li>
        <li>
          The settlement price is not the last price. Each price source is averaged over the last 30 minutes,
          the settlement window; the settlement price is the median of those averages.
        </li>
        <li>
          About 30 seconds later every position is settled in cash, without a fee. A call pays the amount by
          which the settlement price exceeds its strike, a put the amount by which it falls short of it.
        </li>
        <li>
          If fewer than two sources printed in the last minute, or their averages are more than 1% apart,
          nothing is paid: the expiry waits for an operator.
        </li>
      </ol>
    </>
  );
}
