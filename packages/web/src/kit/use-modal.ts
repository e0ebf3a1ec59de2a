/** Shows a dialog over the page while it is open, and closes it otherwise. */

import { type RefObject, useEffect, useRef } from 'react';

export function useModal(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return dialog;
}
