/** One resting order being edited in its row: what is typed, what is asked about it, and what came of it. */

import type { OpenOrder } from '@venue/protocol';
import { useState } from 'react';
import { editCautions } from '../areas/book/core/edit-cautions.ts';
import { editOf, type OrderEdit, readEdit, staleText } from '../areas/book/core/order-edit.ts';
import { limitOf } from '../areas/order/core/ticket/bound.ts';
import { touchOfBook } from '../market/books.ts';
import type { Touch } from '../market/touch.ts';
import { useTerminal } from './terminal.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useBook } from './use-books.ts';
import { useSettlesNearNow } from './use-settles-near.ts';

type Typed = Partial<Pick<OrderEdit, 'qty' | 'price'>>;

export interface OrderEditing {
  readonly edit: OrderEdit;
  readonly isSending: boolean;
  /** Why the last attempt changed nothing, or what is to be confirmed; empty for neither. */
  readonly said: readonly string[];
  /** True while the next press sends what was asked about. */
  readonly isAsked: boolean;
  type(patch: Typed): void;
  save(): void;
  /** Saves what a pointer has let go of, of which more is asked, as a hand may slip. */
  drop(): void;
  end(): void;
}

export interface OrderEdits {
  /** Begins with what the order has, or, of an edit that has begun, goes on; with what is typed already, if anything. */
  begin(order: OpenOrder, typed?: Typed): void;
  /** The editing of this order, or null. */
  of(order: OpenOrder): OrderEditing | null;
}

interface State {
  readonly edit: OrderEdit;
  readonly isSending: boolean;
  readonly fault: string | null;
  readonly cautions: readonly string[];
}

/** @param orders the resting orders as they are now; an edit ends with its order */
export function useOrderEdits(orders: readonly OpenOrder[]): OrderEdits {
  const { stores, actions } = useTerminal();
  const [state, setState] = useState<State | null>(null);
  const now = orders.find(({ id }) => id === state?.edit.order.id) ?? null;
  const touch = useTouchFor(now?.seriesId ?? null);
  const stale = state === null || now === null || state.isSending ? null : staleText(state.edit, now);
  const said = state === null ? [] : [state.fault ?? stale, ...state.cautions].filter((one) => one !== null);
  useAnnouncement(said.length === 0 ? null : said.join(' '));
  const patch = (next: Partial<State>) => setState((known) => known && { ...known, ...next });

  const settlesNear = useSettlesNearNow();
  const cautionsNow = (edit: OrderEdit, isDropped: boolean) => {
    const { positions, orders: bySeries, account } = stores.holdings.getState();
    const { seriesId, side } = edit.order;
    return editCautions(edit, {
      ...{ positions, mark: touch()?.mark ?? Number.NaN },
      touch: limitOf(touch(), { side, isClosing: false }),
      resting: bySeries.get(seriesId) ?? [],
      buyingPower: account?.buyingPower ?? 0,
      isDropped,
      settles: settlesNear(seriesId),
    });
  };

  const save = async (isDropped = false) => {
    if (state === null || now === null || state.isSending) return;
    const { edit } = state;
    const read = readEdit(edit);
    if (read.kind === 'unreadable' || read.kind === 'unchanged') return;
    // What was typed is of the order as it was then: the next press is of the order as it is now.
    if (stale !== null) return patch({ edit: { ...edit, order: now }, fault: `${stale} Look again.` });
    const cautions = state.cautions.length > 0 ? [] : cautionsNow(edit, isDropped);
    if (cautions.length > 0) return patch({ cautions, fault: null });
    patch({ isSending: true, fault: null, cautions: [] });
    const fault = await actions.amendOrder(now, read.action);
    if (fault === null) return setState(null);
    const { account } = stores.holdings.getState();
    const order = account?.openOrders.find(({ id }) => id === now.id) ?? now;
    patch({ isSending: false, fault, edit: { ...edit, order } });
  };

  return {
    begin: (order, typed = {}) =>
      setState((known) => {
        if (known?.isSending) return known;
        const edit = known?.edit.order.id === order.id ? known.edit : editOf(order);
        return { edit: { ...edit, ...typed }, isSending: false, fault: null, cautions: [] };
      }),
    of: (order) =>
      state === null || order.id !== state.edit.order.id
        ? null
        : {
            ...{ edit: state.edit, isSending: state.isSending, said, isAsked: state.cautions.length > 0 },
            type: (typed) => patch({ edit: { ...state.edit, ...typed }, fault: null, cautions: [] }),
            save: () => void save(),
            drop: () => void save(true),
            end: () => setState(null),
          },
  };
}

/** The touch of an edited order's contract: from the chain, or from its book. */
function useTouchFor(seriesId: string | null): () => Touch | null {
  const { market } = useTerminal();
  const isElsewhere = seriesId !== null && market.legOf(seriesId) === undefined;
  const book = useBook(isElsewhere ? seriesId : null);
  return () => {
    const leg = seriesId === null ? undefined : market.legOf(seriesId);
    if (leg === undefined) return book === null ? null : touchOfBook(book);
    const [bid, ask, mark] = (['bid', 'ask', 'mark'] as const).map((column) => market.value(leg, column));
    return { bid: bid!, ask: ask!, mark: mark! };
  };
}
