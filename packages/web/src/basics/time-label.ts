/** Timestamps in tables: the reader's local time, with the day unless it is today. */

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `14:03:05`, or `27 Nov 14:03:05` for another day. */
export function momentLabel(ms: number, nowMs = Date.now()): string {
  const day = DAY.format(ms);
  const time = TIME.format(ms);
  return day === DAY.format(nowMs) ? time : `${day} ${time}`;
}
