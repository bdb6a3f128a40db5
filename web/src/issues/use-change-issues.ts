import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { InputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { offerUndo } from '../parts/changes/offer-undo.tsx';
import { counted } from '../parts/numbers.ts';
import { tell, tellError } from '../parts/tell.ts';
import { changeIssues, deleteIssues, type IssueTarget, undoChanges } from './bulk/bulk-change.ts';
import {
  type IssueChange,
  isFilteredBy,
  noticeDeletion,
  noticeOwnChange,
  refreshIssues,
  reloadIssues,
} from './issue-updates.ts';

/** Changes or deletes many issues. It tells how many are done, and can be cancelled between two calls. */
export function useBulkChange() {
  const [done, setDone] = useState(0);
  const running = useRef<AbortController>(undefined);

  function start() {
    setDone(0);
    running.current = new AbortController();
    return { signal: running.current.signal, onProgress: setDone };
  }

  const change = useMutation({
    mutationFn: ({ target, set }: { readonly target: IssueTarget; readonly set: IssueChange }) =>
      changeIssues(target, set, start()),
    onSuccess: async ({ changed, changeIds, error }, { target, set }) => {
      const ids = 'ids' in target && !isFilteredBy(set) ? target.ids : undefined;
      await noticeOwnChange(ids ?? [], set, changeIds);
      if (ids === undefined) reloadIssues();
      if (changed === 0) tell('Nothing changed: all have that value already.');
      else offerUndoOf(`${counted(changed, 'issue')} changed`, changeIds, ids);
      if (error) tellError(error);
    },
    onError: tellError,
  });
  const remove = useMutation({
    mutationFn: (target: IssueTarget) => deleteIssues(target, start()),
    onSuccess: (deleted) => tell(`${counted(deleted, 'issue')} deleted.`),
    onError: tellError,
    onSettled: reloadIssues,
  });
  return {
    change,
    remove,
    done,
    isRunning: change.isPending || remove.isPending,
    cancel: () => running.current?.abort(),
  };
}

type SingleChange = Omit<InputOf<'issues.update'>, 'ids' | 'filter'> & { readonly set: IssueChange };

/** Changes one issue, unless what was seen of it is something else now. */
export function useChangeIssue(id: number) {
  return useMutation({
    mutationFn: ({ set, expected }: SingleChange) =>
      client.call('issues.update', { ids: [id], set, ...(expected && { expected }) }),
    onSuccess: async ({ change_id }, { set }) => {
      if (change_id === null) return;
      await noticeOwnChange([id], set, [change_id]);
      offerUndoOf(`Issue ${id} changed`, [change_id], [id]);
    },
    onError: () => refreshIssues([id]),
  });
}

/** Deletes one issue. */
export function useDeleteIssue(id: number) {
  return useMutation({
    mutationFn: () => client.call('issues.delete', { id }),
    onSuccess: () => {
      noticeDeletion([id]);
      tell(`Issue ${id} deleted.`);
    },
  });
}

function offerUndoOf(text: string, changeIds: readonly number[], ids: readonly number[] | undefined): void {
  offerUndo(text, async () => {
    try {
      const { restored, left } = await undoChanges(changeIds);
      return undoneText(restored, left);
    } finally {
      if (ids === undefined) reloadIssues();
      else void refreshIssues(ids);
    }
  });
}

function undoneText(restored: number, left: number): string {
  const rest = left === 0 ? '' : ` ${counted(left, 'issue')} changed since and stay as they are.`;
  return `${counted(restored, 'issue')} restored.${rest}`;
}
