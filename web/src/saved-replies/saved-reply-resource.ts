import { savedReplies as noun } from '../../../src/contract/fields/saved-replies.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';

export type SavedReply = OutputOf<'savedReplies.list'>['saved_replies'][number];

type Change = Omit<InputOf<'savedReplies.update'>, 'id' | 'expected'>;

/** All saved replies, by shortcut. There are at most 1,000. */
export const savedReplies = resource<SavedReply, FilterOf<typeof noun>, Change>({
  noun,
  isWhole: true,
  columns: [
    { field: 'title', phone: 'title', width: 'minmax(160px, 0.4fr)' },
    { field: 'shortcut', phone: 'start', cell: ({ shortcut }) => `/${shortcut}` },
    { field: 'content', from: 'medium' },
  ],
  async read({ q }, _part, signal) {
    return { rows: (await client.call('savedReplies.list', { q }, signal)).saved_replies, next: undefined };
  },
  async update(id, set, expected) {
    await client.call('savedReplies.update', { id, ...set, ...(expected && { expected }) });
    return null;
  },
});
