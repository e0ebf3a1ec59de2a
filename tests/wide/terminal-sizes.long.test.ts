/** The trading view in each of its states, in each of its arrangements; the nightly file takes all sizes. */

// @process terminal-layouts
// @seconds 35

import { ARRANGEMENTS, describeWalk } from './layout-walk.ts';

describeWalk(ARRANGEMENTS);
