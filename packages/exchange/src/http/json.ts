/** JSON from strangers: strict, without constructs that two parsers may read differently (HTTP-3). */

const DEPTH_MAX = 8;
/**
 * Distinct keys in one body. The parser is slow with objects that share no shape: one with thousands of keys or
 * thousands with one key each. No request has a dozen.
 */
const NAMES_MAX = 64;
/**
 * Values in one body, counted by the commas between them, and containers: parsing them costs more than their bytes
 * suggest. The longest useful list is a fraction of it.
 */
const VALUES_MAX = 32_768;
export const CONTAINERS_MAX = 16_384;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body, or undefined if it is not JSON in UTF-8, repeats a key within an object, has a key
 * `__proto__`, has more than 64 different keys in all, nests containers deeper than 8, or holds more than 32,768
 * values or 16,384 containers (HTTP-3, FINE-17, OWN-39).
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    return isUnambiguous(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Checks only keys and depth, and is right for well-formed JSON; the parser refuses the rest. */
function isUnambiguous(text: string): boolean {
  seen.begin();
  let depth = 0;
  let values = 1;
  let containers = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = closingQuote(text, i + 1);
      if (isKey(text, end) && !seen.add(depth, text.slice(i + 1, end))) return false;
      i = end;
    } else if (code === BRACE_OPEN || code === BRACKET_OPEN) {
      depth += 1;
      containers += 1;
      if (depth > DEPTH_MAX || containers > CONTAINERS_MAX) return false;
      seen.open(depth);
    } else if (code === COMMA) {
      values += 1;
      if (values > VALUES_MAX) return false;
    } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) {
      depth -= 1;
      if (depth < 0) return false;
    }
  }
  return true;
}

/** Index of the closing quote, or the end of a text that has none. */
function closingQuote(text: string, start: number): number {
  const first = text.indexOf('"', start);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first;
  let end = start;
  // Skips the escaped character with its backslash.
  for (let code = text.charCodeAt(end); code !== QUOTE && end < text.length; code = text.charCodeAt(end))
    end += code === BACKSLASH ? 2 : 1;
  return Math.min(end, text.length);
}

/** A string is a key when a colon follows it. */
function isKey(text: string, end: number): boolean {
  let i = end + 1;
  while (i < text.length && text.charCodeAt(i) <= 0x20) i += 1;
  return text.charCodeAt(i) === COLON;
}

/** The keys of the open containers. At each depth at most one is open, so none needs its own set. */
class SeenKeys {
  /** A number for each key of the body, in order of appearance. */
  readonly #names = new Map<string, number>();
  /** By depth and key, the container that last had the key there. */
  readonly #holders = new Float64Array((DEPTH_MAX + 1) * NAMES_MAX);
  /** By depth, the container that is open there. Container numbers only grow, so bodies never share one. */
  readonly #current = new Float64Array(DEPTH_MAX + 1);
  #opened = 0;

  /** Starts a body. */
  begin(): void {
    this.#names.clear();
  }

  open(depth: number): void {
    this.#opened += 1;
    this.#current[depth] = this.#opened;
  }

  /** Returns false for a key that makes the body invalid. */
  add(depth: number, raw: string): boolean {
    // An escaped spelling is the same key.
    const key: string = raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
    const name = this.#names.get(key) ?? this.#names.size;
    if (name === NAMES_MAX || key === '__proto__') return false;
    this.#names.set(key, name);
    const place = depth * NAMES_MAX + name;
    const container = this.#current[depth]!;
    if (this.#holders[place] === container) return false;
    this.#holders[place] = container;
    return true;
  }
}

/** One for all bodies, which are read one at a time. */
const seen = new SeenKeys();
