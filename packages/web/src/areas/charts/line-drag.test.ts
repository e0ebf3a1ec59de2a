import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { snapped } from '../../market/step.ts';
import type { PriceScale } from './drawing.ts';
import { type DraggedLine, LineDrag } from './line-drag.ts';

const HEIGHT_PX = 400;

/** A picture whose lowest price is `low`, and whose pixels are worth `perPx` dollars. */
function scaleOf({ low, perPx }: { low: number; perPx: number }, brought: number[] = []): PriceScale {
  return {
    ...{ heightPx: HEIGHT_PX, axisPx: 60 },
    topOf: (price) => HEIGHT_PX - (price - low) / perPx,
    priceAt: (topPx) => low + (HEIGHT_PX - topPx) * perPx,
    bring: (price) => brought.push(price),
  };
}

function lineAt(price: number, scale: PriceScale) {
  const [moves, ends]: [number[], string[]] = [[], []];
  const line: DraggedLine = {
    ...{ price, scale },
    onMove: (next) => moves.push(next),
    onDrop: () => ends.push('dropped'),
    onCancel: () => ends.push('cancelled'),
  };
  return { line, moves, ends };
}

const anyScale = fc.record({
  low: fc.double({ min: 0, max: 5_000, noNaN: true }),
  perPx: fc.double({ min: 0.001, max: 20, noNaN: true }),
});
/** Where in the picture a line is as it is pressed. */
const anyShare = fc.double({ min: 0.001, max: 0.999, noNaN: true });

describe('a line that a pointer drags (TERM-12)', () => {
  it('moves by at most as many pixels of scale as the pointer, from its own price and by any scale', () => {
    const paths = fc.array(fc.tuple(fc.integer({ min: -600, max: 600 }), anyScale), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(anyShare, anyScale, paths, (share, first, path) => {
        const price = first.low + share * HEIGHT_PX * first.perPx;
        const drag = new LineDrag();
        assert.equal(drag.down(lineAt(price, scaleOf(first)).line, 1, 100), true);
        for (const [px, values] of path) {
          const { line, moves } = lineAt(price, scaleOf(values));
          drag.move(line, 1, 100 + px);
          for (const next of moves) {
            const most = Math.abs(px) * values.perPx;
            assert.ok(
              Math.abs(next - price) <= most * (1 + 1e-9) + 1e-9,
              `${price} by ${px} px became ${next}`,
            );
            // An order's text is rounded to a step, a thousandth of its price at most, or a hundredth of a cent.
            const text = Number(snapped(next).replaceAll(',', ''));
            assert.ok(Math.abs(text - price) <= most + Math.max(0.005, next / 1_000), `${text}`);
          }
        }
      }),
      { numRuns: 500, seed: 12 },
    );
  });

  it('is brought into the scale, and not moved, by a press on the tag of one that is out of sight', () => {
    const brought: number[] = [];
    for (const price of [500, 9_000]) {
      const { line, moves, ends } = lineAt(price, scaleOf({ low: 1_200, perPx: 0.5 }, brought));
      const drag = new LineDrag();
      assert.equal(drag.down(line, 1, 390), false);
      drag.move(line, 1, 385);
      drag.up(line, 385);
      assert.deepEqual([moves, ends], [[], []]);
    }
    assert.deepEqual(brought, [500, 9_000]);
  });

  it('follows the pointer once it is in sight, and is given up off the picture or by a small move', () => {
    const scale = scaleOf({ low: 1_000, perPx: 1 });
    const after = (px: number) => {
      const { line, moves, ends } = lineAt(1_200, scale);
      const drag = new LineDrag();
      assert.equal(drag.down(line, 1, 50), true);
      drag.move(line, 1, 50 + px);
      drag.up(line, 50 + px);
      return [...moves, ...ends];
    };
    assert.deepEqual(after(5), [1_195, 'dropped']);
    assert.deepEqual(after(2), []);
    assert.deepEqual(after(-900), [1_400, 'cancelled']);
  });
});
