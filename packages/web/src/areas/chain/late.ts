/** Loads the parts beside the chain that are not visible at first, in one script. */

export { ChainGreeks } from './ChainGreeks.tsx';
export { ChainColumns, PositionColumns } from './ColumnChoice.tsx';
export { ExpiryWindow } from './ExpiryWindow.tsx';
export { HowItSettles } from './HowItSettles.tsx';
export { QuietBanner } from './QuietBanner.tsx';
export { InReview, Settled } from './Settlement.tsx';
export { SymbolList } from './SymbolList.tsx';
export { TrayChips } from './TrayChips.tsx';
