/** Loads the panels that are not on the screen at first, in one script, as many small ones weigh more. */

export { AccountPanel } from './AccountPanel.tsx';
export { Fills } from './Fills.tsx';
export { HelpText } from './HelpText.tsx';
export { Log } from './Log.tsx';
export { Orders } from './Orders.tsx';
export { Session } from './Session.tsx';
export { InReview, Settled } from './Settlement.tsx';
