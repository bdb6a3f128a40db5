/** Renders text as inline code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Renders lines of a shell. */
export function codeBlock(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** Escapes plain text, so that nothing in it is markup. */
export function plain(text: string): string {
  return text.replaceAll(/[<|*_[\]\\]/g, (character) => `\\${character}`);
}

/** Makes a text a sentence, with a capital and a full stop. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Renders a table. Its cells are Markdown. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the anchor of a heading. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`;
}
