/** The cases and situations of combos that the seeds must reach. */

import { BATCH_REJECT, REJECT } from '@venue/protocol';

export const EXPECTED_OF_COMBOS: readonly string[] = [
  ...['filled', 'partial', 'cancelled', 'duplicate'].map((status) => `combo ${status}`),
  ...[
    REJECT.unknownSeries,
    REJECT.seriesExpired,
    REJECT.badQty,
    REJECT.reduceOnly,
    REJECT.equityDepleted,
    REJECT.noLiquidity,
    REJECT.marginOff,
    BATCH_REJECT.fokCannotFill,
    'insufficient margin for short',
    'insufficient buying power',
  ].map((reason) => `combo rejected: ${reason}`),
  'legs of a combo share an allowance',
  'combo in a margin call',
  'combo stopped by an own order',
  'micro of a combo over several levels',
];
