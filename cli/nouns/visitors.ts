import { NotFoundError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { emit } from '../output/emit.ts';
import { print, printPiece } from '../terminal/terminal.ts';
import { counted, printable } from '../terminal/text.ts';
import { emitDone, yes } from '../verb/change.ts';
import { argument, flag, text } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';

const email = {
  ...argument(text("the visitor's e-mail address", 'email')),
  parse: (address: string) => address.trim(),
};

/** The data of the people who write. */
export const visitors = verbs('backoffice visitors export ada@example.com > ada.json', {
  export: calling('visitors.export', {
    about: 'write everything about a visitor to standard output, as JSON',
    params: { email },
    output: 'nothing',
    examples: ['backoffice visitors export ada@example.com > ada.json'],
    async run({ given: { email }, access }) {
      await access.stream('visitors.export', { email }, printPiece);
      await printPiece('\n');
    },
  }),

  erase: calling(['visitors.erase', 'visitors.export'], {
    about: 'erase everything about a visitor, also from events, deliveries and the audit trail',
    params: { email, dryRun: flag('only show how much would be erased'), yes },
    examples: ['backoffice visitors erase ada@example.com --dry-run'],
    async run({ given: { email, dryRun, yes }, format, access }) {
      const { conversations, mentions, audit } = await access.call('visitors.export', { email });
      // Without the events and deliveries that repeat the audit records.
      const found = {
        conversations: conversations.length,
        messages: conversations.reduce((sum, { messages }) => sum + messages.length, 0),
        mentions: mentions.length,
        audit: audit.length,
      };
      const other = found.mentions + found.audit;
      if (found.conversations + other === 0)
        throw new NotFoundError(`There is nothing about ${email}. Check the address.`);
      const own = `${counted(found.conversations, 'conversation')} with ${counted(found.messages, 'message')}`;
      const what = other === 0 ? own : `${own}, and at least ${counted(other, 'other row')}`;
      if (dryRun) return await emit(found, format, undefined, () => print(`Would erase ${what}.`));
      const question = `Erase everything about ${printable(email)}: ${what}? This cannot be undone.`;
      await confirm(question, yes);
      const done = await access.call('visitors.erase', { email });
      const deleted = `${counted(done.conversations, 'conversation')} with ${counted(done.messages, 'message')}`;
      const erased = `erased the visitor from ${counted(done.redacted, 'other row')}`;
      await emitDone(done, format, `Deleted ${deleted}, and ${erased}.`);
    },
  }),
});
