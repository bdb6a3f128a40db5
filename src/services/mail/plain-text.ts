import type { MailBlock } from './message.ts';

/** Returns the body as plain text, with a blank line between its blocks. */
export function toPlainText(body: readonly MailBlock[]): string {
  return `${body.map(blockText).join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('link' in block) return block.link;
  if ('code' in block) return `    ${block.code}`;
  const width = Math.max(...block.facts.map(([name]) => name.length)) + 2;
  return block.facts.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join('\n');
}
