import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { savedReplies as noun } from '../../../src/contract/fields/saved-replies.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { placeholders, unknownPlaceholders } from '../../../src/contract/saved-reply-text.ts';
import { client } from '../app/data/client.ts';
import { lazyPart } from '../app/lazy-part.ts';
import type { FilterOf } from '../kit/address.ts';
import { Filters } from '../kit/filters.tsx';
import { useGo } from '../kit/go.ts';
import { useList } from '../kit/list.ts';
import { resource } from '../kit/resource.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Page } from '../parts/page.tsx';

const EditDialog = lazyPart(() => import('../kit/edit-dialog.tsx'), 'EditDialog');

type SavedReply = OutputOf<'savedReplies.list'>['saved_replies'][number];
type Texts = Omit<SavedReply, 'id'>;

/** All saved replies, by shortcut. There are at most 1,000. */
export const savedReplies = resource<SavedReply, FilterOf<typeof noun>, Partial<Texts>>({
  noun,
  isWhole: true,
  columns: [
    { field: 'title', phone: 'title', width: 'minmax(160px, 0.7fr)' },
    { field: 'shortcut', phone: 'start', cell: ({ shortcut }) => `/${shortcut}` },
    { field: 'content', from: 'medium' },
  ],
  async read({ q }, _part, signal) {
    return { rows: (await client.call('savedReplies.list', { q }, signal)).saved_replies };
  },
  async update(id, set, expected) {
    await client.call('savedReplies.update', { id, ...set, expected });
  },
});

const route = getRouteApi('/signed-in/saved-replies');
const create = (reply: Texts, key?: string) => client.call('savedReplies.create', reply, undefined, key);
const actions: readonly Action<SavedReply>[] = [
  {
    label: 'Delete',
    needs: 'savedReplies.delete',
    isDangerous: true,
    run: ({ id }) => client.call('savedReplies.delete', { id }),
    done: ({ shortcut }) => `Saved reply /${shortcut} deleted`,
    undo: ({ id: _id, ...reply }) => create(reply),
  },
];

const words = placeholders.map((name) => `{{${name}}}`).join(', ');
const fields = {
  shortcut: {
    prefix: '/',
    about: 'Type it after / to find the reply. Letters, digits, hyphens and underscores.',
  },
  title: {},
  content: {
    about: `These are filled in: ${words}.`,
    check: (content: unknown) => {
      const [wrong] = unknownPlaceholders(String(content));
      return wrong === undefined ? undefined : `${wrong} is no placeholder. Use ${words}.`;
    },
  },
};
const empty = { shortcut: '', title: '', content: '' };

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
        href={({ id }) => ({ edit: id })}
        current={edit === 'new' ? undefined : edit}
        actions={actions}
        nameOf={({ title }) => title}
        empty={{ title: 'There are no saved replies yet', text: 'Type / in a reply to insert one.' }}
      />
      {edit !== undefined && (
        <EditDialog
          key={edit}
          of={savedReplies}
          id={edit}
          fields={fields}
          empty={empty}
          create={create}
          nameOf={({ shortcut }) => `/${shortcut}`}
          onClose={() => go({ edit: undefined }, true)}
        />
      )}
    </Page>
  );
}
