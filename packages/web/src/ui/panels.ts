/** Loads the panels not visible at first, in one script, which is smaller than many. */

export { GuardDesk } from '../core/account/guard-desk.ts';
export { AccountPanel } from './AccountPanel.tsx';
export { CloseAll } from './CloseAll.tsx';
export { Closed } from './ClosedOrders.tsx';
export { Ended } from './Ended.tsx';
export { ExpiryWindow } from './ExpiryWindow.tsx';
export { Fills } from './Fills.tsx';
export { HelpText } from './HelpText.tsx';
export { HowItSettles } from './HowItSettles.tsx';
export { Log } from './Log.tsx';
export { Orders } from './Orders.tsx';
export { Session } from './Session.tsx';
export { InReview, Settled } from './Settlement.tsx';
export { SymbolList } from './SymbolList.tsx';
