/** Maps values to pixels of a picture. */

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The plot area inside the picture, in pixels. */
export interface PlotBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Scale extends PlotBox {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** Maps the low end of `x` to the left and that of `y` to the bottom; a single value is centred. */
export function scaleOf(box: PlotBox, { x, y }: { readonly x: Range; readonly y: Range }): Scale {
  const { left, right, top, bottom } = box;
  return {
    ...{ left, right, top, bottom },
    x: (value) => rounded(left + shareOf(value, x) * (right - left)),
    y: (value) => rounded(bottom - shareOf(value, y) * (bottom - top)),
  };
}

function shareOf(value: number, { low, high }: Range): number {
  return high > low ? (value - low) / (high - low) : 0.5;
}

/** A tenth of a pixel is precise enough for a line. */
const rounded = (px: number): number => Math.round(px * 10) / 10;

/** The path of a line in pixels. */
export function pathOf<T>(points: readonly T[], x: (point: T) => number, y: (point: T) => number): string {
  return points.map((point) => `${x(point)},${y(point)}`).join(' ');
}
