/** Counts the venue's other visible pages in this browser, over a channel. */

/** Visible pages announce themselves at this interval; one silent for two beats is gone. */
const BEAT_MS = 2_000;

interface Beat {
  readonly page: string;
  readonly isShown: boolean;
}

export interface Presence {
  /** Pages besides this one. */
  readonly others: number;
  end(): void;
}

/** Calls back when the number of other visible pages changes. */
export function watchPresence(onOthers: (others: number) => void): Presence {
  const channel = new BroadcastChannel('venue-pages');
  const page = crypto.randomUUID();
  const seen = new Map<string, number>();
  let others = 0;
  const count = () => {
    const nowMs = performance.now();
    for (const [other, atMs] of seen) if (nowMs - atMs > 2 * BEAT_MS) seen.delete(other);
    if (seen.size === others) return;
    others = seen.size;
    onOthers(others);
  };
  const beat = () => {
    channel.postMessage({ page, isShown: document.visibilityState === 'visible' } satisfies Beat);
    count();
  };
  channel.onmessage = ({ data }: MessageEvent<Beat>) => {
    if (data.isShown) seen.set(data.page, performance.now());
    else seen.delete(data.page);
    count();
  };
  const timer = setInterval(beat, BEAT_MS);
  document.addEventListener('visibilitychange', beat);
  beat();
  return {
    get others() {
      return others;
    },
    end() {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', beat);
      channel.close();
    },
  };
}
