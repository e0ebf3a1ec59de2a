/** Loads the account's panels, which are not visible at first, in one script. */

export { AccountPanel } from './AccountPanel.tsx';
export { Session } from './Session.tsx';
