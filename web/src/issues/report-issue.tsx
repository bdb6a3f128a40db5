import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import { client } from '../app/data/client.ts';
import { useKept } from '../app/kept/use-kept.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { tell } from '../parts/tell.ts';
import { IssueFields, type IssueTexts } from './form/issue-fields.tsx';
import { tellReported } from './tell-reported.tsx';

/** What an issue comes from, which it is linked to. */
type IssueSource = { readonly conversation_id: string } | { readonly scraping_error_id: number };

interface ReportIssueProps {
  readonly source?: IssueSource;
  /** What is in the fields at first, unless there is a draft. */
  readonly texts?: Partial<IssueTexts>;
  readonly onReported: (id: number) => void;
  readonly onClose: () => void;
}

const empty: IssueTexts = {
  title: '',
  category: '',
  severity: 'Medium',
  description: '',
  steps_to_reproduce: '',
};

/** Reports an issue. What is written is kept over a closed tab or an ended session, until it is reported or discarded. */
export function ReportIssue({ source, texts, onReported, onClose }: ReportIssueProps) {
  const [draft, keep] = useKept<IssueTexts>(`report.${source ? Object.values(source)[0] : 'new'}`);
  const navigate = useNavigate();
  const hasChanged = useRef(false);
  // The same issue has the same key, so that one whose answer was lost is not there twice.
  const key = useRef(newIdempotencyKey());
  return (
    <FormDialog
      title="Report an issue"
      action="Report"
      size="lg"
      initialValues={draft ?? { ...empty, ...texts }}
      validate={{ title: (title) => (title.trim() === '' ? 'Title is required' : null) }}
      onChange={(values) => {
        hasChanged.current = true;
        key.current = newIdempotencyKey();
        keep(values);
      }}
      send={(values) => client.call('issues.create', { ...values, ...source }, undefined, key.current)}
      onDone={({ id }) => {
        keep(undefined);
        // Elsewhere than on the page of the issues, the person stays where they are.
        if (source === undefined) tell(`Issue ${id} reported.`);
        else tellReported(id, () => void navigate({ to: '/issues', search: { issue: id } }));
        onReported(id);
      }}
      onClose={() => {
        // The dialog has asked whether to discard it.
        if (hasChanged.current) keep(undefined);
        onClose();
      }}
    >
      {(form) => <IssueFields form={form} />}
    </FormDialog>
  );
}
