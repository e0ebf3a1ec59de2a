/**
 * Makes a held Enter press once. An order that is sent closes its form, and the focus goes on to a price of the chain:
 * the keyboard's own repeats would open a ticket there, and send that.
 */
export function pressOnce(page: Window): void {
  const isRepeated = (event: KeyboardEvent) => event.repeat && event.key === 'Enter';
  page.addEventListener(
    'keydown',
    (event) => {
      if (!isRepeated(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
