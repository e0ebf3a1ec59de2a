/** The trading view in most of its states, where it has the least room; the nightly file takes all of both. */

// @process terminal-layouts
// @seconds 42

import { describeWalk, TIGHTEST } from './layout-walk.ts';

describeWalk(TIGHTEST, 'long');
