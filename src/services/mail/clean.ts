import type { MailBlock } from './message.ts';

/**
 * Line breaks, and characters that are invisible or change the direction of the text around them. The two joiners are
 * part of words and emoji.
 */
const unwanted = /(?:[\s\p{Cc}\p{Cs}]|(?![\u200c\u200d])\p{Cf})+/gu;
const maxSubjectLength = 150;

/** Makes one line of a text: what people have typed must not look like another part of the mail. */
export function oneLine(text: string): string {
  return text.replace(unwanted, ' ').trim();
}

/** Returns a subject as it may stand in a header. */
export function cleanSubject(subject: string): string {
  const characters = [...oneLine(subject)];
  return characters.length <= maxSubjectLength
    ? characters.join('')
    : `${characters.slice(0, maxSubjectLength - 1).join('')}…`;
}

/** Makes one line of each text of a body. */
export function cleanBody(body: readonly MailBlock[]): MailBlock[] {
  return body.map((block) => {
    if (typeof block === 'string') return oneLine(block);
    if ('link' in block) return { link: oneLine(block.link), label: oneLine(block.label) };
    if ('code' in block) return { code: oneLine(block.code) };
    return { facts: block.facts.map(([name, value]) => [oneLine(name), oneLine(value)] as const) };
  });
}
