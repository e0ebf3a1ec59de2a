/** JSON from strangers: strict, and without the shapes that two readers may read differently (HTTP-3). */

const DEPTH_MAX = 8;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body, or undefined when it is not JSON in UTF-8, repeats a key within an object, has a key
 * `__proto__`, or nests containers deeper than 8 (HTTP-3, FINE-17).
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    return isUnambiguous(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Looks at keys and depth alone, and is right for well-formed JSON; the rest is the parser's to refuse. */
function isUnambiguous(text: string): boolean {
  /** The keys seen of each open container; null until there is one. */
  const open: (Set<string> | null)[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = closingQuote(text, i + 1);
      if (isKey(text, end) && !addKey(open, text.slice(i + 1, end))) return false;
      i = end;
    } else if (code === BRACE_OPEN || code === BRACKET_OPEN) {
      if (open.push(null) > DEPTH_MAX) return false;
    } else if (code === BRACE_CLOSE || code === BRACKET_CLOSE) {
      open.pop();
    }
  }
  return true;
}

/** Where the string ends, which is the end of a text that never closes it. */
function closingQuote(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i += 1;
  }
  return text.length;
}

/** A string is a key when a colon follows it. */
function isKey(text: string, end: number): boolean {
  let i = end + 1;
  while (i < text.length && text.charCodeAt(i) <= 0x20) i += 1;
  return text.charCodeAt(i) === COLON;
}

function addKey(open: (Set<string> | null)[], raw: string): boolean {
  // An escaped spelling is the same key.
  const key: string = raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
  const top = open.length - 1;
  const keys = open[top] ?? new Set();
  if (key === '__proto__' || keys.has(key)) return false;
  if (top >= 0) open[top] = keys.add(key);
  return true;
}
