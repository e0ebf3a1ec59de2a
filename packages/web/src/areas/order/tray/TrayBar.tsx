/** The tray on a phone while legs are collected: a bar under the chain, which opens the whole of it. */

import { microsToDecimal } from '@venue/protocol';
import type { ReactNode } from 'react';
import { useAnnouncement } from '../../../terminal/use-announcement.ts';
import type { Tray } from '../core/form/order.ts';
import type { TrayDesk } from '../core/tray/desk.ts';
import { readNet } from '../core/tray/net.ts';
import { netWords, spreadName } from '../core/tray/words.ts';

interface TrayBarProps {
  readonly desk: TrayDesk;
  readonly tray: Tray;
}

export function TrayBar({ desk, tray }: TrayBarProps): ReactNode {
  const { legs, fault } = tray;
  useAnnouncement(fault ?? countText(legs.length));
  return (
    <section className="tray-bar" aria-label="Strategy tray">
      <button type="button" className="tray-bar-open" onClick={() => desk.open()}>
        <span>
          {countText(legs.length)} · {fault ?? netText(tray)}
        </span>
        <b>Open</b>
      </button>
      <button type="button" className="close" aria-label="Close the tray" onClick={() => desk.hide()}>
        ✕
      </button>
    </section>
  );
}

function countText(count: number): string {
  return count === 1 ? '1 leg' : `${count} legs`;
}

function netText(tray: Tray): string {
  if (tray.legs.length < 2) return 'hold another price';
  const net = readNet(tray);
  if (net === null) return 'reading prices…';
  return netWords(microsToDecimal(net), spreadName(tray.legs, Date.now()).side).replace(/^at (?=\d)/, 'net ');
}
