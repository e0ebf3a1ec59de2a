/**
 * The parts of a source file that people read: comments, texts in strings and templates, and texts between JSX tags. All
 * other characters are replaced by NUL, so that lines and columns stay.
 */

/** Starts of texts in code. A quote after a letter is an apostrophe between tags; a string ends on its line. */
const CODE = new RegExp(
  [
    String.raw`(?<comment>/\*[\s\S]*?\*/|//[^\n]*)`,
    String.raw`(?<string>(?<!\w)'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`,
    String.raw`(?<regex>(?<=[(,=:[!&|?{;+>]\s*|\breturn\s+)/(?![*/>])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/)`,
    '(?<brace>[`{}])',
  ].join('|'),
  'g',
);

const TEMPLATE = /\\.|`|\$\{/gs;
const TAGS = /(?<=(?<!=)>|\})[^<>{}=;\0]+(?=[<{])/g;
const DECORATION = /^[ \t]*(?:\*(?!\/)|\/{2,}|\/\*+)|\/\*+|\*\/$/gm;

/** The text of a source file with NUL for all that only machines read. */
export function readableOf(path: string, text: string): string {
  if (!/\.(?:tsx?|mjs|sol|css)$/.test(path)) return text.replace(/^[ \t]*#+/gm, blank);
  const spans = [...spansOf(text)];
  if (path.endsWith('.tsx')) spans.push(...tagTexts(text, spans));
  return only(
    text,
    spans.sort(([a], [b]) => a - b),
  );
}

/** The text with NUL outside of the spans, and spaces for the signs of comments within. */
function only(text: string, spans: readonly Span[]): string {
  let at = 0;
  const parts = spans.flatMap(([start, end]) => {
    const parts = [hide(text.slice(at, start)), text.slice(start, end).replace(DECORATION, blank)];
    at = end;
    return parts;
  });
  return [...parts, hide(text.slice(at))].join('');
}

type Span = readonly [start: number, end: number];

/** Comments, strings of more than one word, and the literal parts of templates. */
function* spansOf(text: string): Generator<Span> {
  const open: string[] = [];
  let at = 0;
  for (;;) {
    if (open.at(-1) === '`') {
      const end = next(TEMPLATE, text, at);
      if (end === null) return;
      yield [at, end.index];
      at = end.index + end[0].length;
      if (end[0] === '`') open.pop();
      else if (end[0] === '${') open.push('{');
      continue;
    }
    const token = next(CODE, text, at);
    if (token === null) return;
    at = token.index + token[0].length;
    const { comment, string, brace } = token.groups!;
    if (comment !== undefined || (string !== undefined && /\s/.test(string))) yield [token.index, at];
    if (brace === '}') open.pop();
    else if (brace !== undefined) open.push(brace);
  }
}

function next(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function tagTexts(text: string, spans: readonly Span[]): Span[] {
  let at = 0;
  const kept = spans.flatMap(([start, end]) => {
    const parts = [text.slice(at, start), hide(text.slice(start, end))];
    at = end;
    return parts;
  });
  const code = [...kept, text.slice(at)].join('');
  return [...code.matchAll(TAGS)].map(({ index, 0: { length } }) => [index, index + length]);
}

function hide(text: string): string {
  return text.replace(/[^\n]/g, '\0');
}

function blank(text: string): string {
  return ' '.repeat(text.length);
}
