import { severities } from '../../../src/contract/vocabulary.ts';
import type { App } from '../app.ts';
import { createForm, type Form } from './form.tsx';

/**
 * A new issue. `done` runs when it is there.
 *
 * @param source - what it comes from, where it comes from something
 */
export function issueForm(
  app: App,
  done: () => Promise<void>,
  source: { readonly conversation_id?: string; readonly scraping_error_id?: number } = {},
): Form {
  return createForm(app, {
    title: () => 'Report an issue',
    fields: [
      { name: 'title', label: 'Title', kind: 'text', note: 'what is wrong, in a few words' },
      {
        name: 'severity',
        label: 'Severity',
        kind: 'choice',
        options: [...severities].reverse(),
        initial: 'Low',
      },
      { name: 'category', label: 'Category', kind: 'text', note: 'Other' },
      { name: 'description', label: 'Description', kind: 'lines', note: 'what happens' },
      { name: 'steps_to_reproduce', label: 'Steps', kind: 'lines', note: 'how to see it happen' },
    ],
    async send({ title = '', ...others }) {
      const { id } = await app.call('issues.create', { title, ...others, ...source });
      app.say(`Reported issue #${id}.`);
      return done;
    },
  });
}
