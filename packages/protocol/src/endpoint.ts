/** The address of a venue, and the characters that a header can carry (OWN-66). */

/** Text that a header carries as it is. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/**
 * Whether a secret can be sent in a header as it is: printable ASCII without spaces (CRED-1).
 *
 * @example isHeaderText('not one') // false
 */
export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/**
 * Why a text is no address that a client can be given, to be put behind the name of its variable, or null when it is
 * one. A password is never repeated.
 *
 * @example venueUrlFault('venue') // 'must be an http address, not "venue"'
 */
export function venueUrlFault(text: string): string | null {
  if (text.includes('@')) return 'must be an http address without user and password';
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? null
    : `must be an http address, not "${text}"`;
}
