/** Loads the parts of the watch list, which are not visible at first, in one script. */

export { RowMenu } from './RowMenu.tsx';
export { WatchGlance } from './WatchGlance.tsx';
export { WatchPanel } from './WatchPanel.tsx';
export { WatchStar } from './WatchStar.tsx';
