import type { z } from 'zod';
import { BackofficeError } from '../../../../src/contract/errors.ts';
import type { issueSchema } from '../../../../src/contract/schemas/issues.ts';
import { severities } from '../../../../src/contract/vocabulary.ts';
import { draftsOf } from '../../dialogs/drafts.ts';
import { createForm, type Form } from '../../dialogs/form.tsx';
import type { Values } from '../../dialogs/form-inputs.ts';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { App } from '../../state/app.ts';

type Issue = z.infer<typeof issueSchema>;

const fieldNames = ['title', 'severity', 'category', 'description', 'steps_to_reproduce'] as const;

/** Creates the forms that edit issues: one per issue, which keeps its texts until they are saved. */
export function issueEditors(app: App, onChanged: () => Promise<void>) {
  const forms = new Map<number, Form>();
  const read = async (id: number): Promise<Issue> => {
    const found = await app.call('issues.list', { id, limit: 1 });
    const [issue] = 'issues' in found ? found.issues : [];
    if (issue === undefined) throw new Error('This issue no longer exists.');
    return issue;
  };

  const createEditor = (issue: Issue): Form => {
    const { id } = issue;
    /** The issue that the user knows about. */
    let known = issue;
    const save = async (set: Values) => {
      const names = Object.keys(set) as (keyof Issue)[];
      const expected = Object.fromEntries(names.map((name) => [name, known[name]]));
      try {
        await app.call('issues.update', { ids: [id], set, expected });
      } catch (error) {
        if (!(error instanceof BackofficeError) || error.code !== 'changed') throw error;
        known = await read(id);
        const submitKey = firstKeyOf(app.keymap, 'editor.submit');
        throw new Error(`${app.explain(error)} Press ${submitKey} again to replace it with yours.`, {
          cause: error,
        });
      }
    };
    return createForm(app, {
      title: () => `Edit #${id}`,
      fields: [
        { name: 'title', label: 'Title', kind: 'text', initial: issue.title },
        severityField(issue.severity),
        { name: 'category', label: 'Category', kind: 'text', initial: issue.category },
        { name: 'description', label: 'Description', kind: 'lines', initial: issue.description },
        { name: 'steps_to_reproduce', label: 'Steps', kind: 'lines', initial: issue.steps_to_reproduce },
      ],
      async submit(values) {
        const changed = fieldNames.filter((name) => values[name] !== issue[name]);
        if (changed.length > 0)
          await save(Object.fromEntries(changed.map((name) => [name, values[name] ?? ''])));
        forms.delete(id);
        app.showMessage(changed.length === 0 ? 'Nothing was changed.' : `Saved #${id}.`);
        return onChanged;
      },
    });
  };

  return {
    /**
     * @param shown - the issue as its details show it: then the form opens at once
     * @param isExternal - opens the description in the user's editor first
     */
    open(id: number, shown: Issue | undefined, isExternal = false): void {
      const show = (form: Form) => {
        forms.set(id, form);
        if (isExternal) void form.compose('description');
        else app.open(form);
      };
      const existing = forms.get(id);
      if (existing?.hasContent()) show(existing);
      else if (shown !== undefined) show(createEditor(shown));
      else
        void app.openAfter(
          () => read(id),
          (issue) => show(createEditor(issue)),
          // The terminal is the editor's.
          { givesKeys: !isExternal },
        );
    },
    drafts: () => [...forms].flatMap(([id, form]) => draftsOf(form, `change of #${id}`)),
  };
}

/** A severity may be any text. One of its own stays possible. */
function severityField(severity: string) {
  const known: readonly string[] = [...severities].reverse();
  const options = known.includes(severity) ? known : [...known, severity];
  return { name: 'severity', label: 'Severity', kind: 'choice', options, initial: severity } as const;
}
