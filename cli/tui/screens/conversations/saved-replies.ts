import type { OutputOf } from '../../../../src/contract/registry.ts';
import {
  fillPlaceholders,
  findSavedReplies,
  placeholders,
  unknownPlaceholders,
} from '../../../../src/contract/saved-reply-text.ts';
import type { TextOffer } from '../../dialogs/form-fields.ts';
import { pickerDialog } from '../../dialogs/picker.tsx';
import type { App } from '../../state/app.ts';
import type { Dialog } from '../../state/screen-types.ts';
import { type Me, readMe } from '../me.ts';

type SavedReply = OutputOf<'savedReplies.list'>['saved_replies'][number];

/** The conversation and the visitor that a reply goes to. */
export interface Recipient {
  readonly id: string;
  readonly visitor_name: string;
}

/** Offers the saved replies, and inserts the chosen one with its placeholders filled in. */
export function savedReplyDialog(app: App, { id, visitor_name }: Recipient, offer: TextOffer): Dialog {
  let loaded: Promise<[readonly SavedReply[], Me]> | undefined;
  const load = async () => {
    const [{ saved_replies }, me] = await Promise.all([app.call('savedReplies.list', {}), readMe(app)]);
    return [saved_replies, me] as [readonly SavedReply[], Me];
  };
  const loadOnce = () => {
    loaded ??= load().catch((error: unknown) => {
      // The next key tries again.
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return pickerDialog(app, {
    title: 'Saved replies',
    note: 'shortcut, or words of the title or the text',
    empty: 'No saved reply matches.',
    async find(text) {
      const [replies] = await loadOnce();
      return findSavedReplies(replies, text).map((reply) => ({
        name: `/${reply.shortcut}`,
        about: `${reply.title}: ${reply.content}`,
        content: reply.content,
      }));
    },
    async onChoose({ content }) {
      const [, me] = await loadOnce();
      const sender = me === null ? {} : { admin_name: me.username };
      offer.take(fillPlaceholders(content, { visitor_name, conversation_id: id, ...sender }));
    },
    onCancel: offer.cancel,
  });
}

/** Returns a sentence about a placeholder of a reply that is not filled in; undefined if there is none. */
export function unfilledRemark(text: string): string | undefined {
  const known = placeholders.map((name) => `{{${name}}}`).find((written) => text.includes(written));
  const [left] = known === undefined ? unknownPlaceholders(text) : [known];
  return left === undefined ? undefined : `${left} is not filled in.`;
}
