/** Moves the focus into a field whose content is a proposal: it is selected, so that what is typed takes its place. */
export function focusField(field: HTMLInputElement): void {
  field.focus({ preventScroll: true });
  field.select();
}
