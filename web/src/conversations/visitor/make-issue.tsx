import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { newIdempotencyKey } from '../../../../src/contract/client/retry.ts';
import { severities } from '../../../../src/contract/vocabulary.ts';
import { client } from '../../app/client.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { type Message, reloadConversations, type ThreadConversation } from '../conversation-queries.ts';
import { issueOf } from './issue-of.ts';

const route = getRouteApi('/signed-in/conversations');

interface MakeIssueProps {
  readonly conversation: ThreadConversation;
  readonly messages: readonly Message[];
  readonly onClose: () => void;
}

/** Reports an issue that came of a conversation. It has the words of the visitor, and a link to the conversation. */
export function MakeIssue({ conversation, messages, onClose }: MakeIssueProps) {
  const { id } = conversation;
  const navigate = route.useNavigate();
  const attempt = useRef({ body: '', key: '' });

  /** Returns the key of some values. With the same values, a second try after a lost answer finds the issue of the first. */
  function keyOf(values: object): string {
    const body = JSON.stringify(values);
    if (attempt.current.body !== body) attempt.current = { body, key: newIdempotencyKey() };
    return attempt.current.key;
  }

  return (
    <FormDialog
      title="Make an issue"
      action="Report issue"
      size="lg"
      initialValues={issueOf(conversation, messages)}
      validate={{ title: (title) => (title.trim() === '' ? 'Title is required' : null) }}
      send={(values) =>
        client.call('issues.create', { ...values, conversation_id: id }, undefined, keyOf(values))
      }
      onDone={({ id: issue }) => {
        tellReported(issue, () => void navigate({ to: '/issues', search: { issue } }));
        void reloadConversations(id);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Title"
            required
            data-autofocus
            key={form.key('title')}
            {...form.getInputProps('title')}
          />
          <Select
            label="Severity"
            data={severities}
            allowDeselect={false}
            key={form.key('severity')}
            {...form.getInputProps('severity')}
          />
          <TextInput label="Category" key={form.key('category')} {...form.getInputProps('category')} />
          <Textarea
            label="Description"
            autosize
            minRows={4}
            maxRows={12}
            key={form.key('description')}
            {...form.getInputProps('description')}
          />
          <Textarea
            label="Steps to reproduce"
            autosize
            minRows={2}
            maxRows={8}
            key={form.key('steps_to_reproduce')}
            {...form.getInputProps('steps_to_reproduce')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Says which issue there is now, and offers to open it. */
function tellReported(issue: number, open: () => void): void {
  const id = `issue-${issue}`;
  notifications.show({
    id,
    message: (
      <>
        Issue {issue} reported{' '}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            open();
          }}
        >
          Open issue
        </Button>
      </>
    ),
  });
}
