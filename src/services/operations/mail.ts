import { noAttachment, noOriginal } from '../../contract/operations/mail.ts';
import { selectMailSource } from '../../db/tables/conversations/received-mails.ts';
import { refuse } from '../call/refuse.ts';
import { FileAnswer } from '../streaming/file-answer.ts';
import type { HandlersOf } from './handler-types.ts';
import { receiveMail } from './receive-mail.ts';

export const mailHandlers = {
  'mail.receive': async (context, { message, size }) => {
    const raw = Buffer.from(message, 'base64');
    return { success: true, conversation: await receiveMail(context, context.change, { raw, size }) };
  },

  'messages.attachment': async ({ db, mailReader }, { id, part }) => {
    const source = await selectMailSource(db, id);
    const file = source && (await mailReader.part(source, part ?? 0));
    if (file === null) refuse(noAttachment);
    return new FileAnswer(file.content, { mediaType: file.media_type, name: file.name });
  },

  'messages.source': async ({ db }, { id }) => {
    const source = (await selectMailSource(db, id)) ?? refuse(noOriginal);
    // As a browser would show a mail as a page, its type is that of no page.
    const file = { mediaType: 'application/octet-stream', name: `message-${id}.eml` };
    return new FileAnswer(source, file);
  },
} satisfies HandlersOf<'mail' | 'messages'>;
