/** What the account has: positions, resting orders, fills, and what happened. */

import { type ReactNode, useState } from 'react';
import { formatPnl, formatPosition, formatPrice, formatSize, formatUsd } from '../core/numbers.ts';
import { seriesLabel } from './series-label.ts';
import { useStore, useTerminal } from './terminal.ts';

const TABS = ['Positions', 'Orders', 'Fills', 'Log'] as const;
type Tab = (typeof TABS)[number];

export function Dock(): ReactNode {
  const [tab, setTab] = useState<Tab>('Positions');
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (state) => state.positions.size);
  const orders = useStore(stores.holdings, (state) => state.account?.openOrderCount ?? 0);
  const counts: Partial<Record<Tab, number>> = { Positions: positions, Orders: orders };
  return (
    <section className="dock" aria-label="Account">
      <div className="tabs" role="tablist">
        {TABS.map((one) => (
          <button key={one} type="button" role="tab" aria-selected={one === tab} onClick={() => setTab(one)}>
            {one}
            {counts[one] ? ` ${counts[one]}` : ''}
          </button>
        ))}
      </div>
      <div className="panel" role="tabpanel" aria-label={tab}>
        {tab === 'Positions' && <Positions />}
        {tab === 'Orders' && <Orders />}
        {tab === 'Fills' && <Fills />}
        {tab === 'Log' && <Log />}
      </div>
    </section>
  );
}

function Positions(): ReactNode {
  const { stores, actions } = useTerminal();
  const positions = useStore(stores.holdings, (state) => state.positions);
  if (positions.size === 0) return <p className="muted">No positions. What you buy or sell stands here.</p>;
  return (
    <table className="rows">
      <thead>
        <tr>
          {['Contract', 'Position', 'Average', 'Mark', 'Unrealised', 'Realised', ''].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...positions.values()].map((position) => (
          <tr key={position.seriesId}>
            <th scope="row">{seriesLabel(position.seriesId)}</th>
            <td className={position.qty > 0 ? 'long' : 'short'}>{formatPosition(position.qty)}</td>
            <td>{formatPrice(position.avgPrice)}</td>
            <td>{formatPrice(position.mark)}</td>
            <td className={position.unrealized < 0 ? 'loss' : 'gain'}>{formatPnl(position.unrealized)}</td>
            <td className={position.realized < 0 ? 'loss' : 'gain'}>{formatPnl(position.realized)}</td>
            <td>
              <button type="button" onClick={() => actions.closePosition(position.seriesId)}>
                Close…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Orders(): ReactNode {
  const { stores, actions } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const orders = account?.openOrders ?? [];
  if (account === null || orders.length === 0) return <p className="muted">No resting orders.</p>;
  const symbols = [...new Set(orders.map(({ symbol }) => symbol))];
  return (
    <>
      <p className="acts">
        {symbols.map((symbol) => (
          <button key={symbol} type="button" onClick={() => actions.cancelAll([symbol])}>
            Cancel all {orders.filter((order) => order.symbol === symbol).length} {symbol} orders
          </button>
        ))}
        {symbols.length > 1 && (
          <button type="button" onClick={() => actions.cancelAll()}>
            Cancel all {account.openOrderCount}
          </button>
        )}
      </p>
      <table className="rows">
        <thead>
          <tr>
            {['Contract', 'Side', 'Price', 'Remaining', 'Of', 'Since', ''].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {orders.toReversed().map((order) => (
            <tr key={order.id}>
              <th scope="row">{seriesLabel(order.seriesId)}</th>
              <td className={order.side === 'buy' ? 'long' : 'short'}>
                {order.side === 'buy' ? 'Buy' : 'Sell'}
              </td>
              <td>{formatPrice(order.price)}</td>
              <td>{formatSize(order.remaining)}</td>
              <td>{formatSize(order.qty)}</td>
              <td>{new Date(order.ts).toLocaleTimeString()}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Cancel order ${order.id}`}
                  onClick={() => actions.cancelOrder(order.id)}
                >
                  ✕
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Fills(): ReactNode {
  const { stores } = useTerminal();
  const fills = useStore(stores.holdings, (state) => state.fills);
  if (fills.length === 0) return <p className="muted">No fills yet.</p>;
  return (
    <table className="rows">
      <thead>
        <tr>
          {['Contract', 'What', 'Quantity', 'Price', 'Fee', 'Realised', 'Time'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fills.map((fill) => (
          <tr key={fill.id}>
            <th scope="row">{seriesLabel(fill.seriesId)}</th>
            <td className={fill.side === 'buy' ? 'long' : 'short'}>
              {fill.kind === 'trade' ? (fill.side === 'buy' ? 'Bought' : 'Sold') : fill.kind}
            </td>
            <td>{formatSize(fill.qty)}</td>
            <td>{formatPrice(fill.price)}</td>
            <td>{formatUsd(fill.fee)}</td>
            <td>{formatPnl(fill.realized)}</td>
            <td>{new Date(fill.ts).toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Log(): ReactNode {
  const { stores } = useTerminal();
  const list = useStore(stores.notices, (state) => state.list);
  if (list.length === 0) return <p className="muted">Nothing has happened yet.</p>;
  return (
    <ol className="log">
      {list.map((notice) => (
        <li key={notice.id} data-tone={notice.tone}>
          <time>{new Date(notice.atMs).toLocaleTimeString()}</time> <strong>{notice.title}</strong>{' '}
          {notice.text}
        </li>
      ))}
    </ol>
  );
}
