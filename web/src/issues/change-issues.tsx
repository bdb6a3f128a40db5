import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/client.ts';
import { counted } from '../parts/numbers.ts';
import { tellError } from '../parts/tell.ts';
import { reloadIssues } from './issue-queries.ts';
import type { IssueFilter } from './issue-search.ts';

export type IssueChange = InputOf<'issues.update'>['set'];
/** The issues that a change is for: their ids, or all that a filter finds. */
export type IssueTarget = { readonly ids: readonly number[] } | { readonly filter: IssueFilter };

const undoMs = 10_000;

/** Changes issues, however many, as one change that can be undone. */
export function useChangeIssues() {
  return useMutation({
    mutationFn: ({ target, set }: { readonly target: IssueTarget; readonly set: IssueChange }) =>
      changeAll(target, set),
    onSuccess: ({ changed, changeId }) => {
      if (changeId === null)
        notifications.show({ message: 'Nothing to change: all have that value already.' });
      else offerUndo(`${counted(changed, 'issue')} changed`, changeId);
    },
    onError: tellError,
    onSettled: reloadIssues,
  });
}

/** One call changes up to 10,000 issues, so a filter may take several. They belong to the same change. */
async function changeAll(target: IssueTarget, set: IssueChange) {
  let changed = 0;
  let changeId: number | null = null;
  for (;;) {
    const answer: OutputOf<'issues.update'> = await client.call('issues.update', {
      ...inputOf(target),
      ...(changeId === null ? {} : { change_id: changeId }),
      set,
    });
    changed += answer.changed;
    changeId ??= answer.change_id;
    if (answer.remaining === 0 || answer.change_id === null) return { changed, changeId };
  }
}

function inputOf(target: IssueTarget): Pick<InputOf<'issues.update'>, 'ids' | 'filter'> {
  if ('ids' in target) return { ids: [...target.ids] };
  const { sort: _sort, ...filter } = target.filter;
  return { filter };
}

/** Says what was changed, and offers to undo it for as long as the message is shown. */
function offerUndo(text: string, changeId: number): void {
  const id = `change-${changeId}`;
  notifications.show({
    id,
    autoClose: undoMs,
    message: (
      <>
        {text}{' '}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            void undo(changeId);
          }}
        >
          Undo
        </Button>
      </>
    ),
  });
}

async function undo(changeId: number): Promise<void> {
  try {
    const { restored, left } = await client.call('changes.undo', { change_id: changeId });
    const rest = left === 0 ? '' : ` ${counted(left, 'issue')} changed since and stay as they are.`;
    notifications.show({ message: `${counted(restored, 'issue')} restored.${rest}` });
  } catch (error) {
    tellError(error as Error);
  }
  reloadIssues();
}
