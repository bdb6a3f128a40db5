import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { EditIssue, type LeaveGuard } from './edit-issue.tsx';
import { IssueDetails } from './issue-details.tsx';
import styles from './issue-drawer.module.css';
import { IssueDrawerSkeleton } from './issue-drawer-skeleton.tsx';
import { IssueNeighbours } from './issue-neighbours.tsx';
import { issueQuery } from './issue-queries.ts';
import { listOnly } from './issue-search.ts';

const route = getRouteApi('/signed-in/issues');

interface IssueDrawerProps {
  /** The issue of the page's address. */
  readonly id: number | undefined;
  /** The issues before and after it in the list. */
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/** Shows one issue beside the list. j and k lead to the next and the previous one, e edits. */
export function IssueDrawer({ id, previous, next }: IssueDrawerProps) {
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const guard: LeaveGuard = useRef(null);
  const isEditing = edit !== undefined;

  async function leave(go: () => void): Promise<void> {
    if (guard.current === null || (await guard.current())) go();
  }
  function close(): void {
    // Escape ends the dialog over the drawer, not both.
    if (document.querySelectorAll('[role="dialog"]').length > 1) return;
    void leave(() => void navigate({ search: (before) => ({ ...before, ...listOnly }) }));
  }
  const show = (issue: number | undefined) => {
    if (issue === undefined) return;
    void leave(
      () => void navigate({ search: (before) => ({ ...before, issue, edit: undefined }), replace: true }),
    );
  };
  const setEditing = (isOn: boolean) =>
    void navigate({
      search: (before) => ({ ...before, edit: isOn ? 'true' : undefined }),
      replace: true,
    });

  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      position="right"
      size={520}
      withOverlay={false}
      shadow="lg"
      classNames={{ content: styles.content ?? '' }}
      title={
        id !== undefined && (
          <span className={styles.head}>
            <span className={styles.name} tabIndex={-1} data-autofocus>
              Issue {id}
            </span>
            <IssueNeighbours previous={previous} next={next} onShow={show} />
          </span>
        )
      }
    >
      {id !== undefined && !isEditing && (
        <IssueKeys
          onNext={() => show(next)}
          onPrevious={() => show(previous)}
          onEdit={() => setEditing(true)}
        />
      )}
      {id !== undefined && (
        <Content key={id} id={id} isEditing={isEditing} setEditing={setEditing} guard={guard} />
      )}
    </Drawer>
  );
}

interface IssueKeysProps {
  readonly onNext: () => void;
  readonly onPrevious: () => void;
  readonly onEdit: () => void;
}

/** The keys of an issue that is shown. */
function IssueKeys({ onNext, onPrevious, onEdit }: IssueKeysProps) {
  useShortcuts('Issue', [
    { keys: 'j', title: 'Next issue', inDialogs: true, run: onNext },
    { keys: 'k', title: 'Previous issue', inDialogs: true, run: onPrevious },
    { keys: 'e', title: 'Edit the issue', inDialogs: true, run: onEdit },
  ]);
  return null;
}

interface ContentProps {
  readonly id: number;
  readonly isEditing: boolean;
  readonly setEditing: (isOn: boolean) => void;
  readonly guard: LeaveGuard;
}

function Content({ id, isEditing, setEditing, guard }: ContentProps) {
  const { data: issue, error, refetch } = useQuery(issueQuery(id));
  const [wasEdited, setWasEdited] = useState(false);
  if (issue === undefined)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <IssueDrawerSkeleton />;
  if (issue === null) return <Note title="There is no such issue">It may have been deleted.</Note>;
  if (isEditing) {
    const close = () => {
      setWasEdited(true);
      setEditing(false);
    };
    return <EditIssue issue={issue} guard={guard} onClose={close} />;
  }
  return <IssueDetails issue={issue} wasEdited={wasEdited} onEdit={() => setEditing(true)} />;
}
