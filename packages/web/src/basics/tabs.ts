/** Messages between tabs of one browser about sign-in, sign-out and the list of paper accounts. */

export interface Tabs {
  /** Tells the other tabs. */
  tell(): void;
  end(): void;
}

/** Calls back when another tab of the venue, or another listener of this page, has told. */
export function openTabs(onSession: () => void): Tabs {
  const channel = new BroadcastChannel('venue-account');
  channel.onmessage = () => onSession();
  return { tell: () => channel.postMessage('session'), end: () => channel.close() };
}
