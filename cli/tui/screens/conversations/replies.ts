import { createForm, type Form } from '../../dialogs/form.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { App } from '../../state/app.ts';

export interface ReplyOptions {
  /** Identifies the conversation or the draft. */
  readonly key: string;
  readonly title: string;
  readonly visitorName: string;
  /** The initial text of a new editor. */
  readonly initial?: string;
  readonly send: (content: string) => Promise<void>;
}

/** Creates the editors of replies: one form per conversation or draft, which keeps its text until it is sent. */
export function replyEditors(app: App, onSent: () => Promise<void>) {
  const editors = new Map<string, { readonly form: Form; readonly visitorName: string }>();
  const createEditor = ({ key, title, send }: ReplyOptions): Form => {
    const hints = keyHints(app, ['editor.submit', 'sends'], ['everywhere.back', 'keeps it for later']);
    return createForm(app, {
      title: () => title,
      verb: 'send',
      fields: [{ name: 'content', label: '', kind: 'lines', note: `Write… ${hints.join(', ')}` }],
      async submit({ content = '' }) {
        await send(content);
        editors.delete(key);
        return onSent;
      },
    });
  };
  return {
    open(options: ReplyOptions) {
      const { key, visitorName, initial } = options;
      let form = editors.get(key)?.form;
      if (form === undefined) {
        form = createEditor(options);
        if (initial !== undefined) form.fill({ content: initial });
        editors.set(key, { form, visitorName });
      }
      app.open(form);
    },
    unsaved: () =>
      [...editors.values()]
        .filter(({ form }) => form.hasContent())
        .map(({ visitorName }) => `The reply to ${visitorName} is not sent.`),
  };
}
