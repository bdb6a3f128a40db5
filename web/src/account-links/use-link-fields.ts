import { useEffect, useState } from 'react';

const fieldsOfAddress = () => new URLSearchParams(location.hash.slice(1));

/**
 * Returns what the link of a mail contains. It is in the fragment of the address, which browsers send to nobody: neither to
 * the logs of a proxy nor to another site.
 */
export function useLinkFields(): URLSearchParams {
  const [fields, setFields] = useState(fieldsOfAddress);
  useEffect(() => {
    // Another link that is opened in this tab changes only the fragment.
    const onChange = () => setFields(fieldsOfAddress());
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return fields;
}

/** Takes a link that has been used out of the address, and so out of the browser's history. */
export function forgetLink(): void {
  history.replaceState(history.state, '', location.pathname);
}
