import { useMutation } from '@tanstack/react-query';
import type { InputOf } from '../../../../src/contract/registry.ts';
import { client } from '../../app/data/client.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { counted } from '../../parts/numbers.ts';
import { tell, tellError } from '../../parts/tell.ts';
import { reloadAllConversations } from '../conversation-queries.ts';

/** One call changes as many. */
const maxIds = 10_000;

interface Change {
  readonly ids: readonly string[];
  readonly set: InputOf<'conversations.update'>['set'];
  /** Says what was done, such as `Assigned to Grace`. By default how many were changed. */
  readonly done?: string;
}

/** Changes conversations as one change that can be undone. */
export function useChangeConversations() {
  return useMutation({
    mutationFn: ({ ids, set }: Change) =>
      client.call('conversations.update', { ids: ids.slice(0, maxIds), set }),
    onSuccess: ({ changed, change_id: changeId }, { done }) => {
      if (changeId === null) tell('Nothing to change: all have that value already.');
      else offerUndo(done ?? `${counted(changed, 'conversation')} changed`, () => undo(changeId));
    },
    onError: tellError,
    onSettled: reloadAllConversations,
  });
}

/** Undoes a change. Returns what was left as it is. */
async function undo(changeId: number): Promise<string> {
  const { restored, left } = await client.call('changes.undo', { change_id: changeId });
  reloadAllConversations();
  const rest = left === 0 ? '' : ` ${counted(left, 'conversation')} changed since and stay as they are.`;
  return `${counted(restored, 'conversation')} restored.${rest}`;
}
