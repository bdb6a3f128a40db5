import { getRouteApi } from '@tanstack/react-router';
import { memo } from 'react';
import { issues as noun } from '../../../src/contract/fields/issues.ts';
import { client } from '../app/data/client.ts';
import { useRememberThing } from '../app/palette/entries.ts';
import { Comments } from '../comments/comments.tsx';
import { fieldsOf } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { useGo } from '../kit/go.ts';
import { History } from '../kit/history.tsx';
import type { List } from '../kit/list.ts';
import { RecordDrawer, RecordView } from '../kit/record.tsx';
import { formOfRow } from '../kit/use-change.ts';
import { Moment } from '../parts/moment.tsx';
import { useIssueActions } from './issue-actions.tsx';
import { IssueLinks } from './issue-links.tsx';
import { type Issue, issueEntry, issues, issueWords } from './issue-resource.ts';

const route = getRouteApi('/signed-in/issues');

/** Shows one issue beside the list; e edits it. */
export function IssueDrawer({ list, id }: { readonly list: List<Issue>; readonly id: number }) {
  const { edit } = route.useSearch();
  return (
    <RecordDrawer
      list={list}
      id={id}
      at="issue"
      form={edit ? (issue) => <EditIssue key={id} issue={issue} /> : undefined}
    >
      {(issue) => <ShownIssue issue={issue} />}
    </RecordDrawer>
  );
}

const tabs = [
  {
    name: 'comments',
    title: 'Comments',
    content: ({ id }: Issue) => <Comments subject={{ issue_id: id }} />,
  },
  {
    name: 'history',
    title: 'History',
    content: (issue: Issue) => (
      <History
        of={issues}
        row={issue}
        read={(cursor, signal) => client.call('issues.history', { id: issue.id, limit: 50, cursor }, signal)}
      />
    ),
  },
  { name: 'links', title: 'Links', content: ({ id }: Issue) => <IssueLinks id={id} /> },
] as const;

/** Drawn again when the issue changes, and not with each change of the list beside it. */
const ShownIssue = memo(function ShownIssue({ issue }: { readonly issue: Issue }) {
  const { tab } = route.useSearch();
  const go = useGo();
  useRememberThing(issueEntry(issue));
  return (
    <RecordView
      of={issues}
      row={issue}
      title={issue.title}
      suggest={issueWords}
      actions={useIssueActions()}
      facts={{
        Category: issue.category,
        Reported: <Moment at={issue.created_at} />,
        Changed: <Moment at={issue.updated_at} />,
      }}
      tabs={tabs}
      tab={tab}
      onEdit={() => go({ edit: 'true' })}
    />
  );
});

const fields = fieldsOf(noun, {
  title: { kind: 'line' },
  category: { suggest: issueWords.category, isHalf: true },
  severity: { isHalf: true },
  status: { isHalf: true },
  description: {},
  steps_to_reproduce: {},
});

/** Edits an issue in its drawer. */
function EditIssue({ issue }: { readonly issue: Issue }) {
  const go = useGo();
  return (
    <Form
      {...formOfRow(issues, issue, fields)}
      at={['issue', 'edit']}
      onCancel={() => go({ edit: undefined }, true)}
    />
  );
}
