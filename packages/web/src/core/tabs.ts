/** Messages between tabs of one browser: sign-in, sign-out, and changes of the account. */

export type TabNews = 'session' | 'account';

export interface Tabs {
  /** Sends news to the other tabs. */
  tell(news: TabNews): void;
}

/** Receives news from other tabs of the venue. */
export function openTabs(onNews: (news: TabNews) => void): Tabs {
  const channel = new BroadcastChannel('venue-account');
  channel.onmessage = ({ data }: MessageEvent<TabNews>) => onNews(data);
  return { tell: (news) => channel.postMessage(news) };
}
