/** Text as it is. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Lines as they are typed into a shell. */
export function codeBlock(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** Plain text, in which nothing is taken for markup. */
export function plain(text: string): string {
  return text.replaceAll(/[<|*_[\]\\]/g, (character) => `\\${character}`);
}

/** Plain text that begins with a capital and ends with a full stop. */
export function sentence(text: string): string {
  return plain(`${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`);
}

/** A table. Its cells are Markdown already. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor that a heading gets. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`;
}
