/** Labels of an axis: each text once, and none under the tag of the newest value. */

export interface AxisTexts {
  readonly format: (value: number) => string;
  /** The text of that tag. */
  readonly tag: string;
  /** True where the tag of the newest value lies over the label of this one. */
  readonly isCovered: (value: number) => boolean;
}

/** Empty for a label that is left out: two values with one text would say that the axis does not move. */
export function axisTexts(values: readonly number[], { format, tag, isCovered }: AxisTexts): string[] {
  const seen = new Set([tag]);
  return values.map((value) => {
    const text = format(value);
    if (isCovered(value) || seen.has(text)) return '';
    seen.add(text);
    return text;
  });
}
