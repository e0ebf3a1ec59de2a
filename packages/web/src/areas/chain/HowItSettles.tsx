/** The words behind the button over every chain. */

import type { ReactNode } from 'react';

export function HowItSettles(): ReactNode {
  return (
    <>
      <h2>How an expiry settles</h2>
      <ol>
        <li>
          Orders are taken up to 20:00 in New York, to the millisecond. Resting orders then leave the book.
        </li>
        <li>
          The settlement price is no last price. Each price source is averaged over the last 30 minutes, the
          settlement window; the price is the median of those averages.
        </li>
        <li>
          About 30 seconds later every position is paid in cash: a call what the price is above its strike, a
          put what it is below. There is no fee.
        </li>
        <li>
          If fewer than two sources printed in the last minute, or their averages are more than 1% apart,
          nothing is paid: the expiry waits for an operator.
        </li>
      </ol>
    </>
  );
}
