/** Where the labels of a picture stand: on no line, and on no other label. All in pixels, y downwards. */

export type Point = readonly [x: number, y: number];

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface LabelAsk {
  /** The spot that is labelled. */
  readonly at: Point;
  readonly width: number;
  readonly height: number;
}

export interface LabelPlace {
  readonly box: Box;
  /** By which of its ends the text is set, at `x`. */
  readonly anchor: 'start' | 'middle' | 'end';
  readonly x: number;
}

export interface Surroundings {
  /** The room in which labels may stand. */
  readonly room: Box;
  readonly lines: readonly (readonly Point[])[];
  /** Boxes that are already occupied. */
  readonly taken: readonly Box[];
}

/** Between a label and what it labels, and between it and anything else. */
const GAP_PX = 8;
const CLEAR_PX = 2;

/** The nearest free place for each label, in their order; null where a label has none. */
export function placeLabels(asks: readonly LabelAsk[], around: Surroundings): (LabelPlace | null)[] {
  const taken = [...around.taken];
  return asks.map((ask) => {
    for (const place of placesFor(ask, around.room)) {
      if (!isFree(place.box, { ...around, taken })) continue;
      taken.push(place.box);
      return place;
    }
    return null;
  });
}

/** Over and under the spot, then ever farther away from it, as far as there is room. */
function* placesFor({ at: [x, y], width, height }: LabelAsk, room: Box): Generator<LabelPlace> {
  const middle = Math.max(room.left + width / 2, Math.min(x, room.right - width / 2));
  const across = [
    { anchor: 'middle', x: middle, left: middle - width / 2 },
    { anchor: 'start', x: x + GAP_PX, left: x + GAP_PX },
    { anchor: 'end', x: x - GAP_PX, left: x - GAP_PX - width },
  ] as const;
  const step = height / 2;
  for (let away = 0; away <= room.bottom - room.top; away += step)
    for (const top of [y - GAP_PX - away - height, y + GAP_PX + away])
      for (const { anchor, x: set, left } of across) {
        const box = { left, right: left + width, top, bottom: top + height };
        if (isWithin(box, room)) yield { box, anchor, x: set };
      }
}

function isWithin(box: Box, room: Box): boolean {
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}

function isFree(box: Box, { lines, taken }: Surroundings): boolean {
  const clear = {
    left: box.left - CLEAR_PX,
    right: box.right + CLEAR_PX,
    top: box.top - CLEAR_PX,
    bottom: box.bottom + CLEAR_PX,
  };
  return !taken.some((one) => overlaps(clear, one)) && !lines.some((line) => runsThrough(line, clear));
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/** True where a part of the line is inside the box. */
export function runsThrough(line: readonly Point[], box: Box): boolean {
  return line.slice(1).some((to, i) => isThrough(line[i]!, to, box));
}

/** Clips the segment by each side of the box in turn (Liang and Barsky): something is left where it runs through. */
function isThrough([x1, y1]: Point, [x2, y2]: Point, { left, right, top, bottom }: Box): boolean {
  let [from, to] = [0, 1];
  for (const [move, room] of [
    [x1 - x2, x1 - left],
    [x2 - x1, right - x1],
    [y1 - y2, y1 - top],
    [y2 - y1, bottom - y1],
  ] as const) {
    if (move === 0 && room < 0) return false;
    if (move < 0) from = Math.max(from, room / move);
    if (move > 0) to = Math.min(to, room / move);
  }
  return from <= to;
}
