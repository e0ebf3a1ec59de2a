import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderPreviewAnswer } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { NO_LEGS, NO_ORDER, type OrderAdvice, sideOf, type Ticket } from './order.ts';
import { type OrderEvent, type OrderPatch, reduce } from './reduce.ts';

const leg = (strike: number, side: SpreadLeg['side']): SpreadLeg => ({
  ...{ seriesId: `BTC-1795827600-C-${strike}`, side, ratio: 1 },
});
const [BUY, SELL] = [leg(95_000, 'buy'), leg(96_000, 'sell')];
const preview = (status: OrderPreviewAnswer['status']) => ({ status }) as OrderPreviewAnswer;
const advice = (of: OrderAdvice['of']): OrderAdvice => ({
  ...{ text: 'no', advice: { kind: 'other' }, of, atMs: 0 },
});

/** The order after events, from none. */
function after(...events: readonly OrderEvent<OrderPreviewAnswer>[]): Ticket {
  return events.reduce<Ticket>(reduce, NO_ORDER);
}

const begun = (patch: Partial<Ticket> = {}) =>
  ({ type: 'begun', with: { isOpen: true, legs: [BUY], qty: '1', price: '5', ...patch } }) as const;
const edited = (patch: OrderPatch, isSameAim = false) =>
  ({ type: 'edited', patch, nowMs: 0, isSameAim }) as const;
const laid = { type: 'laid', with: { legs: [BUY, SELL] } } as const;
const CLOSE = { isClosing: true, tif: 'ioc', flag: 'reduce-only' } as const;

describe('the order in ticket and tray', () => {
  it('is another with each that begins, and with each change of its legs', () => {
    const [first, second] = [after(begun()), after(begun(), begun())];
    assert.deepEqual(
      [first.no, second.no, after(begun(), laid).no, after(begun(), edited({})).no],
      [1, 2, 2, 1],
    );
    const ended = after(begun(), edited({ tif: 'fok' }), { type: 'begun', with: {} });
    assert.deepEqual(ended, { ...NO_ORDER, no: 2 });
  });

  it('cannot be changed while it is being sent, but hidden, answered, and left for another', () => {
    const sent = after(begun(), { type: 'sent' });
    const changes: OrderEvent<OrderPreviewAnswer>[] = [
      ...([
        edited({ qty: '2' }),
        laid,
        { type: 'refused', fault: 'no' },
        { type: 'slid', place: 1 },
      ] as const),
      ...([
        { type: 'followed', price: '6', isCredit: false },
        { type: 'unsettled', of: 'session' },
      ] as const),
    ];
    for (const change of changes) assert.equal(reduce(sent, change), sent, change.type);
    assert.equal(reduce(sent, { type: 'hidden' }).isOpen, false);
    assert.equal(reduce(sent, { type: 'advised', advice: advice('attempt') }).sending, 'sending');
    const known = reduce(sent, { type: 'advised', advice: advice('attempt'), sending: 'no' });
    assert.equal(reduce(known, edited({ qty: '2' })).qty, '2');
    assert.equal(reduce(sent, begun()).sending, 'no');
  });

  it('forgets what was foreseen and asked once it is changed', () => {
    const asked = after(
      begun(),
      { type: 'previewed', preview: preview('filled') },
      { type: 'advised', advice: advice('attempt') },
      { type: 'asked', cautions: ['Sure?'], isWithCancels: true },
    );
    for (const change of [edited({ qty: '2' }), laid, { type: 'slid', place: 1 } as const]) {
      const { preview: foreseen, advice: said, cautions, isWithCancels } = reduce(asked, change);
      assert.deepEqual([foreseen, said, cautions, isWithCancels], [null, null, [], false], change.type);
    }
  });

  it('forgets answers about an account that has gone, while it waits hidden, too', () => {
    const hidden = after(
      begun(),
      { type: 'previewed', preview: preview('filled') },
      { type: 'asked', cautions: ['Sure?'], isWithCancels: false },
      { type: 'hidden' },
      { type: 'unsettled', of: 'session' },
    );
    assert.deepEqual([hidden.preview, hidden.cautions], [null, []]);
    assert.equal(reduce(NO_ORDER, { type: 'unsettled', of: 'session' }), NO_ORDER);
  });

  it('a refusal settles a question, but not one about the order with its cancels', () => {
    const asked = (isWithCancels: boolean) =>
      after(
        begun(),
        { type: 'asked', cautions: ['Sure?'], isWithCancels },
        { type: 'previewed', preview: preview('rejected') },
      ).cautions.length;
    assert.deepEqual([asked(false), asked(true)], [0, 1]);
  });

  it('drops advice with what it holds for', () => {
    const left = (of: OrderAdvice['of']) =>
      (
        [
          { type: 'previewed', preview: preview('filled') },
          { type: 'unsettled', of: 'session' },
          { type: 'relinked' },
          { type: 'sent' },
        ] as const
      ).map((event) => after(begun(), { type: 'advised', advice: advice(of) }, event).advice === null);
    assert.deepEqual(left('account'), [true, false, false, true]);
    assert.deepEqual(left('session'), [false, true, false, true]);
    assert.deepEqual(left('link'), [false, false, true, true]);
    assert.deepEqual(left('attempt'), [false, false, false, true]);
  });

  it('TIF-1: fits time in force and flag, and gives an order with a time an hour', () => {
    assert.equal(after(begun(), edited({ flag: 'reduce-only' })).tif, 'ioc');
    assert.match(
      after(begun(), edited({ tif: 'gtd' })).until,
      /^1970-01-01T\d\d:\d\d$|^1969-12-31T\d\d:\d\d$/,
    );
    assert.equal(after(begun({ until: 'then' }), edited({ tif: 'gtd' })).until, 'then');
  });

  it('a close stays one until the person chooses its kind, price or side', () => {
    const isClosing = (patch: OrderPatch, isSameAim = false) =>
      after(begun(CLOSE), edited(patch, isSameAim)).isClosing;
    assert.deepEqual(
      [isClosing({ qty: '2' }), isClosing({ price: '5' }), isClosing({ side: 'buy' })],
      [true, true, true],
    );
    assert.deepEqual(
      [isClosing({ price: '6' }), isClosing({ kind: 'limit' }), isClosing({ side: 'sell' })],
      [false, false, false],
    );
    assert.equal(isClosing({ kind: 'limit', price: '6' }, true), true);
    assert.equal(after(begun({ ...CLOSE, legs: [BUY, SELL] }), edited({ price: '6' })).isClosing, true);
  });

  it('turns the leg of the ticket round', () => {
    const turned = after(begun(), edited({ side: 'sell' }));
    assert.deepEqual([sideOf(turned), turned.legs.length], ['sell', 1]);
  });

  it('CMB-1: other legs are priced at the touch, and a typed price stays', () => {
    const tray = after({ type: 'begun', with: NO_LEGS }, { type: 'shown' }, laid);
    assert.deepEqual([tray.qty, tray.place, tray.price], ['1', 0, '']);
    const typed = reduce(tray, edited({ price: ' -5' }));
    assert.deepEqual([typed.price, typed.isCredit, typed.place], ['5', true, null]);
    assert.equal(reduce(typed, edited({ qty: '2' })).place, null);
    assert.equal(reduce(typed, { type: 'slid', place: 0.5 }).place, 0.5);
    assert.deepEqual([reduce(typed, laid).place, reduce(typed, laid).price], [0, '']);
    assert.equal(after(begun(), edited({ price: '-5' })).price, '-5');
  });

  it('CMB-1: a change that cannot be made leaves everything but the word for it', () => {
    const tray = after(begun(), laid);
    const refused = reduce(tray, { type: 'refused', fault: 'No strike.' });
    assert.deepEqual(refused, { ...tray, fault: 'No strike.' });
    assert.equal(reduce(refused, laid).fault, null);
  });
});
