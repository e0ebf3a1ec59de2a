/** The watch list in few columns; its panel has the others and the alerts. */

import { type ReactNode, use, useEffect } from 'react';
import { NameButton } from '../../kit/NameButton.tsx';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { DayChange, PriceButton } from './WatchPanel.tsx';

export function WatchGlance(): ReactNode {
  const { stores, watchDesk } = useTerminal();
  const desk = use(watchDesk());
  const names = useStore(desk.watched, (watched) => watched.names);
  const figures = useStore(desk.figures, (all) => all);
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const days = useStore(stores.days, (all) => all);
  useEffect(() => desk.show(), [desk]);
  if (names.length === 0) return null;
  const priceOf = (name: string) =>
    instruments.find(({ symbol }) => symbol === name)?.spot ?? figures.get(name)?.mark ?? null;
  const columns: readonly RowColumn<string>[] = [
    { head: 'Watch list', cell: (name) => <NameButton name={name} /> },
    { head: 'Bid', cell: (name) => <PriceButton name={name} price={figures.get(name)?.bid} side="sell" /> },
    { head: 'Ask', cell: (name) => <PriceButton name={name} price={figures.get(name)?.ask} side="buy" /> },
    { head: '24 h', cell: (name) => <DayChange day={days.get(name)} price={priceOf(name)} /> },
  ];
  return <Rows label="Watched, at a glance" items={names} keyOf={(name) => name} columns={columns} />;
}
