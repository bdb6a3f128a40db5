import { createForm, type Form } from '../../dialogs/form.tsx';
import type { App } from '../../state/app.ts';

/** Returns the form for a new conversation. `onCreated` runs after the form has closed. */
export function conversationForm(app: App, onCreated: () => Promise<void>): Form {
  return createForm(app, {
    title: () => 'Start a conversation',
    fields: [
      { name: 'visitor_name', label: 'Visitor', kind: 'text', note: 'name of the visitor' },
      { name: 'visitor_email', label: 'E-mail', kind: 'text', note: 'ada@example.com' },
      { name: 'subject', label: 'Subject', kind: 'text' },
      { name: 'initial_message', label: 'Message', kind: 'lines', note: 'first message of the visitor' },
    ],
    async submit({ visitor_name = '', visitor_email = '', ...others }) {
      await app.call('conversations.create', { visitor_name, visitor_email, ...others });
      app.showMessage(`Started a conversation with ${visitor_name}.`);
      return onCreated;
    },
  });
}
