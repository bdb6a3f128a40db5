import { useQuery } from '@tanstack/react-query';
import { connectQuery } from '../connect/connect-queries.ts';
import { ConnectLink } from '../parts/connect-link.tsx';
import styles from './overview-page.module.css';

/** Says if nothing has come in from the website yet, and where to begin. */
export function ConnectNote() {
  const { data } = useQuery(connectQuery);
  if (data === undefined || Object.values(data.connected).includes(true)) return null;
  return (
    <p className={styles.connect}>
      Nothing has come in from your website yet. <ConnectLink />
    </p>
  );
}
