/** Loads the account's panels, which are not visible at first, in one script. */

export { AccountPanel } from './AccountPanel.tsx';
export { MarginBanner } from './MarginBanner.tsx';
export { Session } from './Session.tsx';
