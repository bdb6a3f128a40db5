import { Button } from '@mantine/core';
import { pages } from '../../../../src/contract/pages.ts';
import { useShortcuts } from '../../app/commands/shortcuts.ts';
import { useMay } from '../../app/session/permissions.ts';
import { confirm } from '../../parts/dialogs/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { copyLink } from '../../parts/files/copy-link.ts';
import { RowMenu } from '../../parts/table/row-menu.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { Issue } from '../issue-queries.ts';
import { useDeleteIssue } from '../use-change-issues.ts';
import styles from './issue-drawer.module.css';
import { IssueMarks } from './issue-marks.tsx';
import { IssueTabs } from './issue-tabs.tsx';

interface IssueDetailsProps {
  readonly issue: Issue;
  /** Whether a form was there before, whose focus goes to the button that leads to it. */
  readonly wasEdited: boolean;
  readonly onEdit: () => void;
}

/** What is known of an issue, and what can be done with it. */
export function IssueDetails({ issue, wasEdited, onEdit }: IssueDetailsProps) {
  const { id, title, category, description, steps_to_reproduce: steps } = issue;
  useShortcuts('Issue', [{ keys: 'e', title: 'Edit the issue', inDialogs: true, run: onEdit }]);
  const mayDelete = useMay()('issues.delete');
  const remove = useDeleteIssue(id);
  function askToDelete(): void {
    void confirm({
      title: `Delete issue ${id}?`,
      text: (
        <>
          <p className={styles.text} dir="auto">
            {title}
          </p>
          <p>Its comments, links and history are deleted too. This cannot be undone.</p>
        </>
      ),
      action: 'Delete issue',
      run: () => remove.mutateAsync(),
    });
  }
  return (
    <article className={styles.details}>
      <header className={styles.titleBar}>
        <h2 className={styles.title} dir="auto">
          {title}
        </h2>
        <span className={styles.buttons}>
          <Button size="compact-md" variant="default" autoFocus={wasEdited} onClick={onEdit}>
            Edit
          </Button>
          <RowMenu
            name={`issue ${id}`}
            actions={[
              { label: 'Copy link', run: () => void copyLink(pages.issues.path, { issue: `${id}` }) },
              {
                label: 'Delete…',
                run: askToDelete,
                isDangerous: true,
                disabled: mayDelete ? undefined : 'Only admins may delete issues.',
              },
            ]}
          />
        </span>
      </header>
      <IssueMarks issue={issue} />
      <Facts
        facts={[
          ['Category', <bdi key="category">{category}</bdi>],
          ['Reported', <Moment key="created" at={issue.created_at} />],
          ['Changed', <Moment key="updated" at={issue.updated_at} />],
        ]}
      />
      <section className={styles.section}>
        <h3 className={styles.heading}>Description</h3>
        <p className={styles.text} dir="auto">
          {description || <span className={styles.none}>None</span>}
        </p>
      </section>
      {steps !== '' && (
        <section className={styles.section}>
          <h3 className={styles.heading}>Steps to reproduce</h3>
          <p className={styles.text} dir="auto">
            {steps}
          </p>
        </section>
      )}
      <IssueTabs issue={issue} />
    </article>
  );
}
