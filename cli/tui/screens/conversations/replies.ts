import { draftsOf } from '../../dialogs/drafts.ts';
import { createForm, type Form } from '../../dialogs/form.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { App } from '../../state/app.ts';
import { orphanedReplies } from './orphaned-replies.ts';
import { type Recipient, savedReplyDialog, unfilledRemark } from './saved-replies.ts';

export interface ReplyOptions {
  /** Identifies the conversation or the draft. */
  readonly key: string;
  readonly title: string;
  readonly recipient: Recipient;
  /** The initial text of a new editor. */
  readonly initial?: string;
  readonly send: (content: string) => Promise<void>;
}

/** Creates the editors of replies: one form per conversation or draft, which keeps its text until it is sent. */
export function replyEditors(app: App, onSent: () => Promise<void>) {
  const editors = new Map<string, { readonly form: Form; readonly recipient: Recipient }>();
  const orphans = orphanedReplies(app);
  /** A conversation is gone: its replies can never be sent. */
  const orphan = (id: string) => {
    for (const [key, { form, recipient }] of editors) {
      if (recipient.id !== id) continue;
      editors.delete(key);
      app.close(form);
      if (form.hasContent()) orphans.offer(recipient.visitor_name, form.textOf('content'));
    }
  };
  const createEditor = ({ key, title, recipient, send }: ReplyOptions): Form => {
    const hints = keyHints(app, ['editor.submit', 'sends'], ['everywhere.back', 'keeps it for later']);
    return createForm(app, {
      title: () => title,
      verb: 'send',
      fields: [
        {
          name: 'content',
          label: '',
          kind: 'lines',
          note: `Write… ${hints.join(', ')}, / finds saved replies`,
          offer: (offer) => savedReplyDialog(app, recipient, offer),
          remark: unfilledRemark,
        },
      ],
      async submit({ content = '' }) {
        await send(content);
        editors.delete(key);
        return onSent;
      },
    });
  };
  return {
    /** @param isExternal - opens the text in the user's editor first */
    open(options: ReplyOptions, isExternal = false) {
      const { key, recipient, initial } = options;
      let form = editors.get(key)?.form;
      if (form === undefined) {
        form = createEditor(options);
        if (initial !== undefined) form.fill({ content: initial });
        editors.set(key, { form, recipient });
      }
      if (isExternal) void form.compose('content');
      else app.open(form);
    },
    drafts: () =>
      [...editors.values()].flatMap(({ form, recipient }) =>
        draftsOf(form, `reply to ${recipient.visitor_name}`, 'sent'),
      ),
    orphan,
    undecided: orphans.undecided,
    /** Looks for replies whose conversations were deleted without an event. */
    async refresh() {
      const unsent = [...editors.values()].filter(({ form }) => form.hasContent());
      for (const id of new Set(unsent.map(({ recipient }) => recipient.id))) {
        const thread = await app.call('messages.list', { conversation_id: id, limit: 1 }).catch(() => null);
        if (thread !== null && thread.conversation === null) orphan(id);
      }
    },
  };
}
