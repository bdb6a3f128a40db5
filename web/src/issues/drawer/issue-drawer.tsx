import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useRememberThing } from '../../app/palette/recent-things.ts';
import { SideDrawer } from '../../parts/dialogs/side-drawer.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Note } from '../../parts/note.tsx';
import { EditIssue, type LeaveGuard } from '../form/edit-issue.tsx';
import { issueEntry } from '../issue-entry.ts';
import { issueQuery } from '../issue-queries.ts';
import { type IssueFilter, listOnly } from '../issue-search.ts';
import { IssueDetails } from './issue-details.tsx';
import styles from './issue-drawer.module.css';
import { IssueDrawerSkeleton } from './issue-drawer-skeleton.tsx';
import { IssueNeighbours } from './issue-neighbours.tsx';

const route = getRouteApi('/signed-in/issues');

interface IssueDrawerProps {
  /** The issue of the page's address. */
  readonly id: number | undefined;
  /** The filter of the list beside it. */
  readonly filter: IssueFilter;
}

/** Shows one issue beside the list. j and k lead to the next and the previous one, e edits. */
export function IssueDrawer({ id, filter }: IssueDrawerProps) {
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  const guard: LeaveGuard = useRef(null);
  const isEditing = edit !== undefined;

  async function leave(go: () => void): Promise<void> {
    if (guard.current === null || (await guard.current())) go();
  }
  function close(): void {
    void leave(() => void navigate({ search: (before) => ({ ...before, ...listOnly }) }));
  }
  const show = (issue: number) =>
    void leave(
      () => void navigate({ search: (before) => ({ ...before, issue, edit: undefined }), replace: true }),
    );
  const setEditing = (isOn: boolean) =>
    void navigate({
      search: (before) => ({ ...before, edit: isOn ? 'true' : undefined }),
      replace: true,
    });

  return (
    <SideDrawer
      isOpen={id !== undefined}
      onClose={close}
      takesEscape={!isEditing}
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
            <IssueNeighbours id={id} filter={filter} onShow={show} />
          </span>
        )
      }
    >
      {id !== undefined && (
        <Content key={id} id={id} isEditing={isEditing} setEditing={setEditing} guard={guard} />
      )}
    </SideDrawer>
  );
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
  useRememberThing(issue ? issueEntry(issue) : undefined);
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
