import { severities } from '../../../../src/contract/vocabulary.ts';
import { draftsOf } from '../../dialogs/drafts.ts';
import { createForm, type Form } from '../../dialogs/form.tsx';
import type { Draft } from '../../keep-text.ts';
import type { App } from '../../state/app.ts';

/** What an issue is reported from, and the initial values of its form. */
export interface IssueOrigin {
  readonly source: { readonly conversation_id: string } | { readonly scraping_error_id: number };
  readonly title: string;
  readonly description?: string;
}

/** Returns the form for a new issue. `onCreated` runs after the form has closed. */
export function issueForm(app: App, onCreated: () => Promise<void>, origin?: IssueOrigin): Form {
  const { source = {}, title: initialTitle = '', description = '' } = origin ?? {};
  return createForm(app, {
    title: () => 'Report an issue',
    fields: [
      {
        name: 'title',
        label: 'Title',
        kind: 'text',
        initial: initialTitle,
        note: 'the problem in a few words',
      },
      {
        name: 'severity',
        label: 'Severity',
        kind: 'choice',
        options: [...severities].reverse(),
        initial: 'Low',
      },
      { name: 'category', label: 'Category', kind: 'text', note: 'Other' },
      {
        name: 'description',
        label: 'Description',
        kind: 'lines',
        initial: description,
        note: 'what happens',
      },
      { name: 'steps_to_reproduce', label: 'Steps', kind: 'lines', note: 'how to make it happen' },
    ],
    async submit({ title = '', ...others }) {
      const { id } = await app.call('issues.create', { title, ...others, ...source });
      app.showMessage(`Reported issue #${id}.`);
      return onCreated;
    },
  });
}

/** Creates the forms for issues that are reported from something else: one per source, each kept until it is saved. */
export function issueReports(app: App, onCreated: () => Promise<void>) {
  const forms = new Map<string, Form>();
  return {
    open(origin: IssueOrigin): void {
      const key = JSON.stringify(origin.source);
      const existing = forms.get(key);
      // A form without changes is replaced, because its source may have changed.
      const form = existing?.hasContent() ? existing : issueForm(app, onCreated, origin);
      forms.set(key, form);
      app.open(form);
    },
    drafts: (): readonly Draft[] => [...forms.values()].flatMap((form) => draftsOf(form, 'new issue')),
  };
}
