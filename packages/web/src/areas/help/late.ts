/** Loads the help and the tour, which are not visible at first, in one script. */

export { HelpText } from './HelpText.tsx';
export { Tour } from './Tour.tsx';
