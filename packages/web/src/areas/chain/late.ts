/** Loads the parts beside the chain that are not visible at first, in one script. */

export { ExpiryWindow } from './ExpiryWindow.tsx';
export { HowItSettles } from './HowItSettles.tsx';
export { InReview, Settled } from './Settlement.tsx';
export { SymbolList } from './SymbolList.tsx';
