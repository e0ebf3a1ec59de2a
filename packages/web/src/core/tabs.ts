/** Messages between tabs of one browser about sign-in and sign-out. */

export interface Tabs {
  /** Tells the other tabs. */
  tell(): void;
}

/** Calls back when another tab of the venue has signed in or out. */
export function openTabs(onSession: () => void): Tabs {
  const channel = new BroadcastChannel('venue-account');
  channel.onmessage = () => onSession();
  return { tell: () => channel.postMessage('session') };
}
