/** Shrinks screenshots for the repository: 256 colours suffice, at a third of the size. */

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const COLOURS_MAX = 256;

/** Converts a browser's PNG (8 bits per channel, RGB or RGBA, not interlaced) to one with a palette. */
export function withFewColours(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = [...counts.entries()]
    .sort(([, a], [, b]) => b - a)
    .slice(0, COLOURS_MAX)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, i) => [colour, i]));
  const rows = Buffer.alloc(height * (width + 1));
  pixels.forEach((pixel, i) => {
    const place = places.get(pixel) ?? nearest(palette, pixel);
    places.set(pixel, place);
    rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = place;
  });
  const header = Buffer.from(png.subarray(SIGNATURE_BYTES + 8, SIGNATURE_BYTES + 21));
  header.set([8, 3], 8);
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, row by row. */
  readonly pixels: Uint32Array;
}

function decode(png: Buffer): Picture {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const row = Uint8Array.from(data.subarray(from + 1, from + 1 + stride));
    unfilter(row, above, { filter: data[from]!, channels });
    for (let x = 0; x < width; x++) {
      const at = x * channels;
      pixels[y * width + x] = (row[at]! << 16) | (row[at + 1]! << 8) | row[at + 2]!;
    }
    above = row;
  }
  return { width, height, pixels };
}

/** Reverses in place the PNG filter of a row, which predicts each byte from those to the left and above. */
function unfilter(
  row: Uint8Array,
  above: Uint8Array,
  { filter, channels }: { filter: number; channels: number },
): void {
  for (let i = 0; i < row.length; i++) {
    const left = i < channels ? 0 : row[i - channels]!;
    const up = above[i]!;
    const corner = i < channels ? 0 : above[i - channels]!;
    const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
    row[i] = row[i]! + guesses[filter]!;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  palette.forEach((other, i) => {
    const distance =
      ((other >> 16) - (colour >> 16)) ** 2 +
      (((other >> 8) & 255) - ((colour >> 8) & 255)) ** 2 +
      ((other & 255) - (colour & 255)) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [i, distance];
  });
  return best;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const out = Buffer.alloc(8);
  out.writeUInt32BE(data.length, 0);
  out.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([out.subarray(0, 4), named, out.subarray(4)]);
}
