import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

/** When the page was printed, on paper only. */
export function PrintedAt({ className }: { readonly className?: string | undefined }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    // The browser takes the page as it is right after the event.
    const update = () => flushSync(() => setNow(new Date()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return (
    <p className={className} data-print="only">
      {local.format(now)}
    </p>
  );
}
