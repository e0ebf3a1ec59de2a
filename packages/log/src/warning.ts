/** Receives one-line warnings for the operator. */
export type OnWarning = (text: string) => void;

/** The default without a listener. */
export function emitWarning(text: string): void {
  process.emitWarning(text, 'VenueLogWarning');
}
