import { Button, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import type { Field } from '../../../src/contract/fields/field.ts';
import { issues as noun } from '../../../src/contract/fields/issues.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { useRememberThing } from '../app/palette/entries.ts';
import { Comments } from '../comments/comments.tsx';
import { fieldsOf } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { useActions } from '../kit/actions.ts';
import { useGo } from '../kit/go.ts';
import type { List } from '../kit/list.ts';
import { RecordDrawer } from '../kit/record.tsx';
import { Setters } from '../kit/setters.tsx';
import { formOfRow } from '../kit/use-change.ts';
import { RowMenu } from '../parts/buttons.tsx';
import { Facts, Written } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { useIssueActions } from './issue-actions.tsx';
import { IssueHistory } from './issue-history.tsx';
import { IssueLinks } from './issue-links.tsx';
import { categoryWords, type Issue, issueEntry, issues } from './issue-resource.ts';

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

/** The long texts of an issue, with their labels. */
const texts = Object.entries<Field>(noun.fields)
  .filter(([name, { kind }]) => kind === 'text' && name !== 'title')
  .map(([name, { label }]) => [name as keyof Issue, label] as const);

/** Drawn again when the issue changes, and not with each change of the list beside it. */
const ShownIssue = memo(function ShownIssue({ issue }: { readonly issue: Issue }) {
  const { tab } = route.useSearch();
  const { id, title, category, created_at, updated_at } = issue;
  const go = useGo();
  const edit = () => go({ edit: 'true' });
  const actions = useActions(issues, useIssueActions())(issue);
  useShortcuts('Issue', [{ keys: 'e', title: 'Edit the issue', run: edit }]);
  useRememberThing(issueEntry(issue));
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A link to a tab leads to what is below a long text.
    if (tab !== undefined) tabs.current?.scrollIntoView();
  }, []);
  const facts = {
    Category: category,
    Reported: <Moment at={created_at} />,
    Changed: <Moment at={updated_at} />,
  };
  return (
    <article className={sheet.stack}>
      <div className={sheet.between}>
        <h3 className={sheet.title} dir="auto">
          {title}
        </h3>
        <div>
          <Button size="compact-md" variant="default" data-edit onClick={edit}>
            Edit
          </Button>
          <RowMenu name={`issue ${id}`} actions={actions} />
        </div>
      </div>
      <Setters of={issues} row={issue} />
      <Facts facts={facts} />
      {texts.map(([name, label]) => {
        const text = String(issue[name]);
        return (
          (text !== '' || name === 'description') && (
            <section key={name} className={sheet.lines}>
              <h4 className={sheet.heading}>{label}</h4>
              <Written>{text || <span className={sheet.quiet}>None</span>}</Written>
            </section>
          )
        );
      })}
      <Tabs
        ref={tabs}
        value={tab ?? 'comments'}
        onChange={(next) => go({ tab: next ?? undefined }, true)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="comments">Comments</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
          <Tabs.Tab value="links">Links</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="comments">
          <Comments subject={{ issue_id: id }} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <IssueHistory issue={issue} />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <IssueLinks id={id} />
        </Tabs.Panel>
      </Tabs>
    </article>
  );
});

const fields = fieldsOf(noun, {
  title: { kind: 'line' },
  category: { suggest: categoryWords, isHalf: true },
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
