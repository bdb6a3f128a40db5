import { commentErrors } from '../../../../src/contract/operations/comments.ts';
import { draftsOf } from '../../dialogs/drafts.ts';
import { createForm, type Form } from '../../dialogs/form.tsx';
import type { Draft } from '../../keep-text.ts';
import { firstKeyOf } from '../../keys/keymap.ts';
import type { App } from '../../state/app.ts';
import type { Me } from '../me.ts';
import type { Comment, CommentSubject } from './comment.ts';

/** Writes and edits comments: one form per subject or comment, which keeps its text until it is saved. */
export interface CommentEditors {
  /** @param name - what the comment is on, such as `#7` */
  write(subject: CommentSubject, name: string): void;
  /** Opens the editor of a comment, or says that it is somebody else's. */
  edit(comment: Comment, me: Me): void;
  remove(comment: Comment): void;
  drafts(): readonly Draft[];
}

const quotedLength = 200;

export function commentEditors(app: App, onChanged: () => Promise<void>): CommentEditors {
  const forms = new Map<string, { readonly form: Form; readonly what: string }>();
  const openForm = (key: string, what: string, create: () => Form) => {
    const existing = forms.get(key)?.form;
    const form = existing?.hasContent() ? existing : create();
    forms.set(key, { form, what });
    app.open(form);
  };

  const writeForm = (subject: CommentSubject, name: string) =>
    createForm(app, {
      title: () => `Comment on ${name}`,
      verb: 'add',
      fields: [{ name: 'content', label: '', kind: 'lines', note: 'Only the team sees comments.' }],
      async submit({ content = '' }) {
        await app.call('comments.create', { ...subject, content });
        app.showMessage(`Added the comment on ${name}.`);
        return onChanged;
      },
    });
  const editForm = ({ id, content }: Comment) => {
    /** The text that the user knows about. */
    let known = content;
    return createForm(app, {
      title: () => `Edit comment ${id}`,
      fields: [{ name: 'content', label: '', kind: 'lines', initial: content }],
      async submit({ content: written = '' }) {
        try {
          await app.call('comments.update', { id, content: written, expected: { content: known } });
        } catch (error) {
          const [now] = (await app.call('comments.list', { id })).comments;
          if (now === undefined || now.content === known) throw error;
          known = now.content;
          const submitKey = firstKeyOf(app.keymap, 'editor.submit');
          const sentence = `${app.explain(error)} Press ${submitKey} again to replace it with yours.`;
          throw new Error(sentence, { cause: error });
        }
        app.showMessage(`Edited comment ${id}.`);
        return onChanged;
      },
    });
  };

  return {
    write(subject, name) {
      const [id] = Object.values(subject);
      openForm(`on ${id}`, `comment on ${name}`, () => writeForm(subject, name));
    },
    edit(comment, me) {
      const authorId = comment.author?.id ?? null;
      // The service tells operators and tokens apart, which have no account.
      if (authorId !== (me?.id ?? null)) return app.showMessage(commentErrors.notAuthor.text, 'failed');
      const { id } = comment;
      openForm(`edit ${id}`, `change of comment ${id}`, () => editForm(comment));
    },
    remove(comment) {
      const { id, author, content } = comment;
      const name = author === null ? 'an unknown author' : author.username || author.email;
      app.confirm(
        `Delete the comment of ${name}?`,
        async () => {
          await app.call('comments.delete', { id });
          app.showMessage(`Deleted comment ${id}.`);
          await onChanged();
        },
        content.slice(0, quotedLength),
      );
    },
    drafts: () => [...forms.values()].flatMap(({ form, what }) => draftsOf(form, what)),
  };
}
