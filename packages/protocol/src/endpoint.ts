/** Validates a venue's address and text sent in headers (OWN-66). */

/** Text that can be sent in a header unchanged. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/**
 * True if a secret can be sent in a header unchanged: printable ASCII without spaces (CRED-1).
 *
 * @example isHeaderText('not one') // false
 */
export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/**
 * Says why a client cannot use a text as the venue's address, or null if it can. The sentence continues the variable's
 * name and never repeats a password.
 *
 * @example venueUrlFault('venue') // 'must be an http address, not "venue"'
 */
export function venueUrlFault(text: string): string | null {
  if (text.includes('@')) return 'must be an http address without user and password';
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? null
    : `must be an http address, not "${text}"`;
}
