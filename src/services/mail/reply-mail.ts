import type { QueuedReply } from '../../db/tables/conversations/message-deliveries.ts';
import { cutText, escapeHtml } from '../../shared/text.ts';
import { cleanSubject, pageOf, readableTime } from './message.ts';

/** How much of the visitor's message is quoted. */
const maxQuoted = 4_000;

/**
 * Writes the mail of a reply: its text, how to answer, and the visitor's last message. Lines stay as they were typed.
 *
 * @param site - the name of the service
 * @param howToAnswer - a sentence
 */
export function writeReply(reply: QueuedReply, site: string, howToAnswer: string) {
  const content = cleanLines(reply.content);
  const quoted = reply.quoted === null ? '' : cleanLines(cutText(reply.quoted, maxQuoted));
  const wrote = reply.quoted_at === null ? '' : `On ${readableTime(reply.quoted_at)}, you wrote:`;
  const footer = `${howToAnswer}\nSent by ${site}`;
  const quote =
    quoted === ''
      ? ''
      : `\n${wrote}\n${quoted.replaceAll(/^(?=(.?))/gm, (_, next) => (next === '' ? '>' : '> '))}\n`;
  return {
    subject: subjectOf(reply.subject),
    text: `${content}\n\n${footer}\n${quote}`,
    html: pageOf(
      `<p>${htmlLines(content)}</p>\n<p style="${footerStyle}">${htmlLines(footer)}</p>` +
        (quoted === ''
          ? ''
          : `\n<p style="${footerStyle}">${escapeHtml(wrote)}</p>\n<blockquote style="${quoteStyle}">${htmlLines(quoted)}</blockquote>`),
    ),
  };
}

const footerStyle = 'font-size: 13px; color: #5f6670';
const quoteStyle = 'margin: 0; padding-left: 12px; border-left: 3px solid #c4cad1; color: #4a5058';

function subjectOf(subject: string): string {
  const cleaned = cleanSubject(subject);
  if (cleaned === '') return 'Re: Your message';
  return /^re:/i.test(cleaned) ? cleaned : `Re: ${cleaned}`;
}

/** Keeps tabs and the ends of lines, and no other control character. */
function cleanLines(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
  return lines.replaceAll(/[ \t]+$/gm, '').replaceAll(/^\n+|\n+$/g, '');
}

/** Returns HTML that shows the lines and the spaces of a text, also in programs that ignore `white-space`. */
function htmlLines(text: string): string {
  return escapeHtml(text)
    .replaceAll('\t', '    ')
    .replaceAll('  ', ' &nbsp;')
    .replaceAll(/^ /gm, '&nbsp;')
    .replaceAll('\n', '<br>\n');
}
