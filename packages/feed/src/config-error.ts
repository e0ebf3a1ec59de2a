/** A variable that cannot be used; the message is one line and names it. */
export class FeedConfigError extends Error {
  override name = 'FeedConfigError';
}
