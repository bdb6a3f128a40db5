import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cardIds } from '../../../src/contract/connect.ts';
import { useLeaveWarning } from '../app/kept/use-leave-warning.ts';
import { Failure } from '../parts/failure.tsx';
import { Page, PageContent } from '../parts/page/page.tsx';
import { ConnectCard } from './connect-card.tsx';
import styles from './connect-page.module.css';
import { connectQuery } from './connect-queries.ts';

/** Says how a website sends its data, with commands to try it, and what has come in. */
export function ConnectPage() {
  const { data, error, refetch } = useQuery(connectQuery);
  /** Shown once: the service does not tell it again. */
  const [token, setToken] = useState<string>();
  const [isCopied, setIsCopied] = useState(false);
  useLeaveWarning(token !== undefined && !isCopied);
  return (
    <Page title="Connect your website">
      <PageContent className={styles.content}>
        <p className={styles.intro}>
          Choose what your website sends. Each light turns green when its first record comes in.
        </p>
        {data === undefined && error && <Failure error={error} retry={() => void refetch()} />}
        {data === undefined && !error && <Skeleton height={320} data-loading />}
        {data !== undefined &&
          cardIds.map((id) => (
            <ConnectCard
              key={id}
              id={id}
              isConnected={data.connected[id]}
              isPageOff={id === 'contact' && !data.contact_page}
              hasMailbox={data.mailbox}
              token={token}
              onToken={setToken}
              onCopy={() => setIsCopied(true)}
            />
          ))}
      </PageContent>
    </Page>
  );
}
