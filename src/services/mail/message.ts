import { z } from 'zod';
import { cutText, escapeHtml } from '../../shared/text.ts';

const line = z.string().overwrite(oneLine);

/**
 * The text, in parts: paragraphs, links with their labels, codes to type, and lines of names and values. Makes one line of
 * each of its texts.
 */
export const bodySchema = z.array(
  z.union([
    line,
    z.object({ link: line, label: line }),
    z.object({ code: line }),
    z.object({ facts: z.array(z.tuple([line, line])) }),
  ]),
);

export type MailBody = z.infer<typeof bodySchema>;

/** What a template returns. */
export interface MailContent {
  readonly kind: 'sign-in-code' | 'invitation' | 'password-reset' | 'account-notice';
  /** Never holds a secret: it is shown in notifications and logged by mail servers. */
  readonly subject: string;
  readonly body: MailBody;
  /** Whether the body holds a secret, such as a link or a code. It is then encrypted in the queue. */
  readonly isConfidential: boolean;
  /** How long the mail is of use. It is not sent after that. */
  readonly usefulMinutes: number;
}

/** Writes a mail with the name that the owner has given the service. */
export type MailTemplate = (site: string) => MailContent;

/** Line breaks, and invisible or direction-changing characters. The two joiners are part of words and emoji. */
const unwanted = /(?:[\s\p{Cc}\p{Cs}]|(?![\u200c\u200d])\p{Cf})+/gu;
const maxSubjectLength = 149;

/** Makes one line of a text: what people have typed must not look like another part of the mail. */
export function oneLine(text: string): string {
  return text.replace(unwanted, ' ').trim();
}

/** Returns a subject as it may stand in a header. */
export function cleanSubject(subject: string): string {
  return cutText(oneLine(subject), maxSubjectLength);
}

/** Made on demand: it takes 5 ms. */
let format: Intl.DateTimeFormat | undefined;

/** Returns a time as people read it, such as `31 January 2026 at 09:30 UTC`. */
export function readableTime(time: Date): string {
  format ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} UTC`;
}

/** Returns the body as plain text, with a blank line between its blocks. */
export function toPlainText(body: MailBody): string {
  return `${body.map(blockText).join('\n\n')}\n`;
}

function blockText(block: MailBody[number]): string {
  if (typeof block === 'string') return block;
  if ('link' in block) return block.link;
  if ('code' in block) return `    ${block.code}`;
  const width = Math.max(...block.facts.map(([name]) => name.length)) + 2;
  return block.facts.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join('\n');
}

// Mail programs ignore style sheets, so each element has its own style. No images, and nothing from a network.
const page =
  'font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; max-width: 34em; margin: 0 auto; padding: 24px 16px';
const button =
  'display: inline-block; padding: 10px 20px; border-radius: 6px; background: #1f4fd8; color: #ffffff; text-decoration: none; font-weight: 600';
const code = 'font: 600 28px/1.3 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 4px';
const small = 'font-size: 13px; word-break: break-all';
const factName = 'padding: 2px 16px 2px 0; vertical-align: top; white-space: nowrap';

/** Returns the body as HTML. */
export function toHtml(body: MailBody): string {
  return pageOf(body.map(blockHtml).join('\n'));
}

/** Returns a page of HTML with these blocks. */
export function pageOf(blocks: string): string {
  return `<!doctype html>\n<html lang="en"><meta charset="utf-8"><body><div style="${escapeHtml(page)}">\n${blocks}\n</div></body></html>\n`;
}

function blockHtml(block: MailBody[number]): string {
  if (typeof block === 'string') return `<p>${escapeHtml(block)}</p>`;
  if ('link' in block) {
    const link = escapeHtml(block.link);
    return (
      `<p><a href="${link}" style="${button}">${escapeHtml(block.label)}</a></p>\n` +
      `<p style="${small}">Or open this address: <a href="${link}">${link}</a></p>`
    );
  }
  if ('code' in block) return `<p style="${escapeHtml(code)}">${escapeHtml(block.code)}</p>`;
  const rows = block.facts.map(
    ([name, value]) =>
      `<tr><td style="${factName}">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table style="border-collapse: collapse">${rows.join('')}</table>`;
}
