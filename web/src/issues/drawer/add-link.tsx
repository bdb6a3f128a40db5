import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '../../conversations/conversation-queries.ts';
import type { Link } from '../issue-queries.ts';
import { foundConversationsQuery, useAddLink } from './link-issue.ts';

const typingMs = 200;

interface AddLinkProps {
  readonly id: number;
  /** The links that there are. */
  readonly linked: readonly Link[];
}

/** Links an issue to a conversation, which one finds by its subject, its visitor or its messages. */
export function AddLink({ id, linked }: AddLinkProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), typingMs);
  const { data: found = [] } = useQuery(foundConversationsQuery(q));
  const add = useAddLink(id);
  const known = new Set(linked.map(({ conversation_id }) => conversation_id));
  return (
    <Select
      label="Link a conversation"
      placeholder="Search conversations"
      data={found
        .filter((conversation) => !known.has(conversation.id))
        .map((conversation) => ({
          value: conversation.id,
          label: `${conversation.subject || 'No subject'} · ${conversation.visitor_name}`,
        }))}
      renderOption={({ option }) => (
        <Found conversation={found.find(({ id: each }) => each === option.value)} />
      )}
      // The service has searched already.
      filter={({ options }) => options}
      searchable
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

/** A conversation to choose. Its texts may run in either direction. */
function Found({ conversation }: { readonly conversation: Conversation | undefined }) {
  return (
    <span>
      <bdi>{conversation?.subject || 'No subject'}</bdi> · <bdi>{conversation?.visitor_name}</bdi>
    </span>
  );
}
