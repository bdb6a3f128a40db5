import { severities } from '../../../../src/contract/vocabulary.ts';
import type { App } from '../../app.ts';
import { createForm, type Form } from '../../dialogs/form.tsx';

/** What an issue comes from, and what is said of it to begin with. */
export interface IssueOrigin {
  readonly source: { readonly conversation_id: string } | { readonly scraping_error_id: number };
  readonly title: string;
  readonly description?: string;
}

/** A new issue. `done` runs when it is there. */
export function issueForm(app: App, done: () => Promise<void>, origin?: IssueOrigin): Form {
  const { source = {}, title: firstTitle = '', description = '' } = origin ?? {};
  return createForm(app, {
    title: () => 'Report an issue',
    fields: [
      {
        name: 'title',
        label: 'Title',
        kind: 'text',
        initial: firstTitle,
        note: 'what is wrong, in a few words',
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
      { name: 'steps_to_reproduce', label: 'Steps', kind: 'lines', note: 'how to see it happen' },
    ],
    async send({ title = '', ...others }) {
      const { id } = await app.call('issues.create', { title, ...others, ...source });
      app.say(`Reported issue #${id}.`);
      return done;
    },
  });
}

/** New issues that come from something, a form for each: what was written in it is kept until it is sent. */
export function issueReports(app: App, done: () => Promise<void>) {
  const forms = new Map<string, Form>();
  return {
    open(origin: IssueOrigin): void {
      const key = JSON.stringify(origin.source);
      const begun = forms.get(key);
      // A form in which nothing was written begins anew, with what its source is by now.
      const form = begun?.hasContent() ? begun : issueForm(app, done, origin);
      forms.set(key, form);
      app.open(form);
    },
    unsent: (): string[] =>
      [...forms.values()].filter((form) => form.hasContent()).map(() => 'The new issue is not saved.'),
  };
}
