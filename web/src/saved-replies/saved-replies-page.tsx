import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Page } from '../parts/page.tsx';
import { type SavedReply, savedReplies } from './saved-reply-resource.ts';

const EditSavedReply = lazyPart(() => import('./edit-saved-reply.tsx'), 'EditSavedReply');

const route = getRouteApi('/signed-in/saved-replies');
const hrefOf = ({ id }: SavedReply) => ({ edit: id });
const actions: readonly Action<SavedReply>[] = [
  {
    label: 'Delete',
    needs: 'savedReplies.delete',
    isDangerous: true,
    run: ({ id }) => client.call('savedReplies.delete', { id }),
    done: ({ shortcut }) => `Saved reply /${shortcut} deleted`,
    undo: ({ id: _id, ...reply }) => client.call('savedReplies.create', reply),
  },
];

/** Lists the saved replies of the team, and creates, edits and deletes them. */
export function SavedRepliesPage() {
  const { q, edit } = route.useSearch();
  const list = useList(savedReplies, { q });
  const go = useGo();
  return (
    <Page
      title="Saved replies"
      action={<Button onClick={() => go({ edit: 'new' })}>New</Button>}
      bar={<Filters list={list} />}
    >
      <Table
        list={list}
        href={hrefOf}
        current={edit === 'new' ? undefined : edit}
        actions={actions}
        nameOf={({ title }) => title}
        empty={{ title: 'There are no saved replies yet', text: 'Type / in a reply to insert one.' }}
      />
      <Suspense>
        {edit !== undefined && (
          <EditSavedReply key={edit} id={edit} onClose={() => go({ edit: undefined }, true)} />
        )}
      </Suspense>
    </Page>
  );
}
