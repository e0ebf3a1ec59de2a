/** Told what an operator should know, in one line each. */
export type OnWarning = (text: string) => void;

/** Where nobody listens to warnings. */
export function emitWarning(text: string): void {
  process.emitWarning(text, 'VenueLogWarning');
}
