import { issues as noun } from '../../../src/contract/fields/issues.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import type { App } from '../app/app.ts';
import { callingOnce } from '../app/calling-once.ts';
import { openForm, type Values } from '../dialogs/form.ts';
import { formFields } from './editing.ts';

interface Report {
  /** Names the draft. */
  readonly name: string;
  readonly initial?: Values;
  /** What it is reported from, with which it is then linked. */
  readonly source?: Pick<InputOf<'issues.create'>, 'conversation_id' | 'scraping_error_id'>;
  readonly reported: (id: number) => unknown;
}

/** Opens the form of a new issue. */
export function openReport(app: App, { name, initial = {}, source = {}, reported }: Report): void {
  const report = callingOnce(app, 'issues.create', 'reported');
  openForm(app, {
    name,
    title: 'New issue',
    verb: 'report',
    fields: formFields(noun, 'create'),
    initial: { severity: 'Low', ...initial },
    save(values) {
      // An empty field has its default.
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
      return report({ ...given, ...source } as InputOf<'issues.create'>);
    },
    saved({ id }: { readonly id: number }) {
      app.bell.created(id);
      app.say(`Reported #${id}.`);
      return reported(id);
    },
  });
}
