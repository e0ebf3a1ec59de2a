/** What tabs of one browser tell each other: that somebody signed in or out, and that the account has changed. */

export type TabNews = 'session' | 'account';

export interface Tabs {
  /** Tells the others. */
  tell(news: TabNews): void;
}

/** Hears what other tabs of the venue tell. */
export function openTabs(onNews: (news: TabNews) => void): Tabs {
  const channel = new BroadcastChannel('venue-account');
  channel.onmessage = ({ data }: MessageEvent<TabNews>) => onNews(data);
  return { tell: (news) => channel.postMessage(news) };
}
