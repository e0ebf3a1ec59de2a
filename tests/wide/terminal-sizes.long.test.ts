/** The trading view in each of its states, where it has the least room; the nightly file takes all sizes. */

// @process terminal-layouts
// @seconds 20

import { describeWalk, TIGHTEST } from './layout-walk.ts';

describeWalk(TIGHTEST);
