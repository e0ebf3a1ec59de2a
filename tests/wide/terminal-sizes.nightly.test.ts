/** The trading view in each of its states, at every size from a small phone to a large monitor. */

// @process terminal-nights
// @seconds 60

import { describeWalk, SIZES } from './layout-walk.ts';

describeWalk(SIZES, 'nightly');
