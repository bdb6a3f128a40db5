import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link as PageLink } from '@tanstack/react-router';
import { useState } from 'react';
import { maxSearchLength } from '../../../src/contract/fields/bounds.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers } from '../app/data/reload.ts';
import { IconButton } from '../parts/buttons.tsx';
import { Failure } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { offerUndo, tellError } from '../parts/tell.tsx';

type Link = OutputOf<'links.list'>['links'][number];

const typingMs = 200;
const shownConversations = 20;
const keyOf = (id: number) => ['issues', 'one', id, 'links'];
const reload = (id: number) => void queryClient.invalidateQueries({ queryKey: keyOf(id) });

receivers.add((event) => {
  if (event.type === 'link.created' || event.type === 'link.deleted') reload(event.data.issue_id);
});

/** The conversations and scraping errors that an issue comes from. */
export function IssueLinks({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await client.call('links.list', { issue_id: id }, signal)).links,
  });
  const remove = useMutation({
    mutationFn: (link: Link) => client.call('links.delete', endsOf(id, link)),
    onSuccess: (_done, link) =>
      offerUndo('Link removed', async () => {
        await client.call('links.create', endsOf(id, link)).finally(() => reload(id));
        return 'Link restored.';
      }),
    onError: tellError,
    onSettled: () => reload(id),
  });
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <div className={sheet.stack}>
      {data?.length === 0 && <p className={sheet.quiet}>This issue is not linked to a conversation.</p>}
      <ul className={sheet.list}>
        {data?.map((link) => (
          <li key={link.conversation_id ?? link.scraping_error_id} className={sheet.between}>
            <span className={sheet.text}>
              <span className={sheet.quiet}>
                {link.conversation_id ? 'Conversation ' : 'Scraping error '}
              </span>
              {link.conversation_id ? (
                <PageLink to="/conversations" search={{ id: link.conversation_id }}>
                  {nameOf(link)}
                </PageLink>
              ) : (
                nameOf(link)
              )}
            </span>
            <IconButton
              icon="close"
              label={`Remove the link to ${nameOf(link)}`}
              title="Remove the link"
              onClick={() => remove.mutate(link)}
            />
          </li>
        ))}
      </ul>
      <AddLink id={id} linked={data ?? []} />
    </div>
  );
}

interface AddLinkProps {
  readonly id: number;
  /** The links that there are. */
  readonly linked: readonly Link[];
}

/** Links an issue to a conversation, which one finds by its subject, its visitor or its messages. */
function AddLink({ id, linked }: AddLinkProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), typingMs);
  const { data } = useQuery({
    queryKey: ['conversations', 'found', q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.call('conversations.list', { q: q || undefined, limit: shownConversations }, signal),
  });
  const add = useMutation({
    mutationFn: (conversation_id: string) => client.call('links.create', { issue_id: id, conversation_id }),
    onError: tellError,
    onSettled: () => reload(id),
  });
  const found = data?.conversations.filter(({ id }) => linked.every((link) => link.conversation_id !== id));
  return (
    <Select
      label="Link a conversation"
      placeholder="Search conversations"
      data={(found ?? []).map(({ id: value, subject, visitor_name: visitor }) => ({
        value,
        label: `${subject || 'No subject'} · ${visitor}`,
      }))}
      // The service has searched already.
      filter={({ options }) => options}
      searchable
      maxLength={maxSearchLength}
      searchValue={typed}
      onSearchChange={setTyped}
      value={null}
      nothingFoundMessage="No conversation found"
      disabled={add.isPending}
      onChange={(conversation) => {
        if (conversation === null) return;
        setTyped('');
        add.mutate(conversation);
      }}
    />
  );
}

const endsOf = (issue_id: number, { conversation_id, scraping_error_id }: Link) => ({
  issue_id,
  conversation_id: conversation_id ?? undefined,
  scraping_error_id: scraping_error_id ?? undefined,
});

function nameOf(link: Link): string {
  const { conversation_id, conversation_subject, scraping_error_id, scraping_error_message } = link;
  if (conversation_id !== null) return conversation_subject || conversation_id;
  return scraping_error_message || `scraping error ${scraping_error_id}`;
}
