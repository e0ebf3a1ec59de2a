/** How a call to the venue fails. A declined order is no failure: it is an answer with a reason. */

/** The venue answered, and not with a 2xx. `message` is the venue's own text. */
export class VenueError extends Error {
  override name = 'VenueError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * No answer came: connection refused or lost, or the time limit passed. A write may have been carried out all
 * the same; read the account before trying again.
 */
export class VenueUnreachableError extends Error {
  override name = 'VenueUnreachableError';
}
