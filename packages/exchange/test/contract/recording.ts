/** Plays every chapter, each on its own stage. */

import type { Example } from '../../src/openapi/examples.ts';
import type { Chapter } from './chapter.ts';
import { CONTRACT_WALLETS } from './chapter-contract-wallets.ts';
import { CUSTODY } from './chapter-custody.ts';
import { ABSENT, FAULTS } from './chapter-faults.ts';
import { MARKET } from './chapter-market.ts';
import { ORDERS } from './chapter-orders.ts';
import { QUOTES } from './chapter-quotes.ts';
import { SIGN_IN } from './chapter-sign-in.ts';
import { BACKPRESSURE, SIGNATURES, TOKENS, UNSIGNED } from './chapter-signatures.ts';
import { NO_HISTORY, STATEMENT } from './chapter-statement.ts';
import { TRADING } from './chapter-trading.ts';
import { EXPIRY, MARGIN_CALL } from './chapter-trouble.ts';
import { Scribe, type ScribeOptions } from './scribe.ts';
import { RecordedStage, STAGES } from './stage.ts';

export const CHAPTERS: readonly Chapter[] = [
  MARKET,
  SIGN_IN,
  TRADING,
  ORDERS,
  QUOTES,
  STATEMENT,
  NO_HISTORY,
  MARGIN_CALL,
  EXPIRY,
  CUSTODY,
  CONTRACT_WALLETS,
  ...SIGNATURES,
  ...BACKPRESSURE,
  ...UNSIGNED,
  TOKENS,
  ...FAULTS,
  ABSENT,
];

/** Plays every chapter on a clock that stands still, which gives the same examples in every run. */
export async function record(options: ScribeOptions = {}): Promise<readonly Example[]> {
  const scribe = new Scribe(options);
  for (const { title, on, play } of CHAPTERS) {
    const stage = await RecordedStage.start(STAGES[on]);
    try {
      await play(stage, scribe);
    } catch (cause) {
      throw new Error(`in the chapter "${title}"`, { cause });
    } finally {
      await stage.stop();
    }
  }
  return scribe.examples;
}
