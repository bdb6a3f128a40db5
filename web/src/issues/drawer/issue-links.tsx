import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link as PageLink } from '@tanstack/react-router';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { issueLinksQuery, type Link } from '../issue-queries.ts';
import { AddLink } from './add-link.tsx';
import styles from './issue-links.module.css';
import { useRemoveLink } from './link-issue.ts';

/** The conversations and scraping errors that an issue comes from. */
export function IssueLinks({ id }: { readonly id: number }) {
  const { data: links, error, refetch } = useQuery(issueLinksQuery(id));
  const remove = useRemoveLink(id);
  if (error && !links) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <div className={styles.links}>
      {links?.length === 0 && <p className={styles.meta}>This issue is not linked to a conversation.</p>}
      {links !== undefined && links.length > 0 && (
        <ul className={styles.list}>
          {links.map((link) => (
            <li key={link.conversation_id ?? link.scraping_error_id} className={styles.item}>
              <Source link={link} />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove the link to ${sourceName(link)}`}
                title="Remove the link"
                onClick={() => remove.mutate(link)}
              >
                <Icon name="close" />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <AddLink id={id} linked={links ?? []} />
    </div>
  );
}

function Source({ link }: { readonly link: Link }) {
  const { conversation_id: conversation } = link;
  return (
    <span className={styles.source}>
      <span className={styles.meta}>{conversation === null ? 'Scraping error' : 'Conversation'}</span>
      {conversation === null ? (
        <bdi>{sourceName(link)}</bdi>
      ) : (
        <PageLink to="/conversations" search={{ id: conversation }} className={styles.link}>
          <bdi>{sourceName(link)}</bdi>
        </PageLink>
      )}
    </span>
  );
}

function sourceName(link: Link): string {
  const { conversation_id, conversation_subject, scraping_error_id, scraping_error_message } = link;
  if (conversation_id !== null) return conversation_subject || conversation_id;
  return scraping_error_message || `scraping error ${scraping_error_id}`;
}
