import { useEffect, useState } from 'react';

/** Gives the focus back, when the component goes, to what had it before. For dialogs that exist only while they are open. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
