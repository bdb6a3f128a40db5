import { Alert, Button, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type RefObject, useEffect, useState } from 'react';
import { ResponseError } from '../../../../src/contract/client/typed-client.ts';
import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import { queryClient } from '../../app/data/query-client.ts';
import { useKept } from '../../app/kept/use-kept.ts';
import { confirm } from '../../parts/dialogs/confirm.tsx';
import { useEscape } from '../../parts/dialogs/use-escape.ts';
import { sentenceOf } from '../../parts/failure.tsx';
import { Mark } from '../../parts/mark.tsx';
import { type Issue, issueQuery } from '../issue-queries.ts';
import { useChangeIssue } from '../use-change-issues.ts';
import { IssueFields } from './issue-fields.tsx';
import styles from './issue-form.module.css';
import { type IssueValues, issueFields, pick, valuesOf } from './issue-values.ts';
import { NowElsewhere } from './now-elsewhere.tsx';

/** What the browser keeps of a form: what is in it, and what it started from. */
interface KeptEdit {
  readonly values: IssueValues;
  readonly start: IssueValues;
}

/** Asks whether to leave a form, if something would be lost. Resolves with whether to. */
export type LeaveGuard = RefObject<(() => Promise<boolean>) | null>;

interface EditIssueProps {
  /** The issue as it is now, also after a change by someone else. */
  readonly issue: Issue;
  /** Gets the form's question, for what else leads away from it. */
  readonly guard: LeaveGuard;
  /** Called when it is saved, discarded, or nothing is to be saved. */
  readonly onClose: () => void;
}

/**
 * Edits an issue. Only what was changed is sent, with what was seen of it. If somebody else has changed the same, the form
 * shows their text beside one's own, and saving again replaces it.
 */
export function EditIssue({ issue, guard, onClose }: EditIssueProps) {
  const [kept, keep] = useKept<KeptEdit>(`issue.${issue.id}`);
  const [isRestored] = useState(kept !== undefined);
  /** What the form started from. */
  const [start] = useState(() => kept?.start ?? valuesOf(issue));
  /** What is known to be there when one saves. */
  const [seen, setSeen] = useState(start);
  const change = useChangeIssue(issue.id);
  const form = useForm<IssueValues>({
    mode: 'uncontrolled',
    initialValues: kept?.values ?? start,
    onValuesChange: (values) => keep({ values, start }),
  });
  const problem = change.error instanceof ResponseError ? change.error : null;
  const field = problem?.param?.replace(/^set\./, '');
  const isAtField = issueFields.some((name) => name === field);

  function close(): void {
    keep(undefined);
    onClose();
  }

  async function mayLeave(): Promise<boolean> {
    const values = form.getValues();
    const isChanged = issueFields.some((name) => values[name] !== start[name]);
    const isConfirmed =
      !isChanged ||
      (await confirm({
        title: `Discard your changes to issue ${issue.id}?`,
        text: 'They have not been saved.',
        action: 'Discard',
      }));
    if (isConfirmed) keep(undefined);
    return isConfirmed;
  }

  useEffect(() => {
    guard.current = mayLeave;
    return () => {
      guard.current = null;
    };
  });

  function save(values: IssueValues): void {
    const changed = issueFields.filter(
      (name) => values[name] !== start[name] && values[name] !== issue[name],
    );
    if (changed.length === 0) {
      close();
      return;
    }
    change.mutate(
      { set: pick(values, changed), expected: pick(seen, changed) },
      {
        onSuccess: close,
        onError: async (error) => {
          if (!(error instanceof ResponseError)) return;
          const name = issueFields.find((known) => error.param === `set.${known}`);
          if (name !== undefined) form.setFieldError(name, sentenceOf(error));
          const now = error.status === 409 ? await queryClient.fetchQuery(issueQuery(issue.id)) : null;
          if (now !== null) setSeen(valuesOf(now));
        },
      },
    );
  }

  async function cancel(): Promise<void> {
    if (await mayLeave()) onClose();
  }

  useEscape(() => void cancel());

  const below = (name: keyof IssueValues) =>
    issue[name] !== start[name] && (
      <NowElsewhere
        text={issue[name]}
        isTaken={form.getValues()[name] === issue[name]}
        onTake={() => form.setFieldValue(name, issue[name])}
      />
    );

  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit(save)}>
      {isRestored && <Alert>Your unsaved changes were kept. Cancel discards them.</Alert>}
      {change.error && !isAtField && (
        <Alert color="red" role="alert">
          {sentenceOf(change.error)} {problem?.status === 409 && 'Save again to replace it.'}
        </Alert>
      )}
      <IssueFields
        form={form}
        below={below}
        status={
          <div className={styles.field}>
            <Select
              key={form.key('status')}
              {...form.getInputProps('status')}
              label="Status"
              data={issueStatuses}
              allowDeselect={false}
              renderOption={({ option }) => <Mark word={option.value} />}
            />
            {below('status')}
          </div>
        }
      />
      <div className={styles.buttons}>
        <Button variant="default" disabled={change.isPending} onClick={() => void cancel()}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
