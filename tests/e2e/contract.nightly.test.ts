/** Every chapter of the contract's examples, against a process of its own. */

// @seconds 60

import { LIVE_CHAPTERS, testLive } from './contract-examples.ts';

testLive(LIVE_CHAPTERS);
