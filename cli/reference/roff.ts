/** Escapes plain text for roff: backslashes, hyphens that are typed, and what would start a request. */
export function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(/\P{ASCII}/gu, (character) => `\\[u${hexOf(character)}]`);
  return escaped.replaceAll(/^(?=\.)/gm, '\\&');
}

const hexOf = (character: string) =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** Renders text in bold, as words that are typed are. */
export const bold = (text: string) => `\\fB${roff(text)}\\fR`;

/** Renders the heading of a section, such as OPTIONS. */
export const section = (heading: string) => `.SH ${quoted(heading.toUpperCase())}`;

/** Renders the heading of a part of a section. */
export const subsection = (heading: string) => `.SS ${quoted(heading)}`;

/** Renders terms, each with its explanation below it. */
export function definitions(entries: readonly (readonly [term: string, meaning: string])[]): string {
  return entries.map(([term, meaning]) => `.TP\n${term}\n${meaning}`).join('\n');
}

/** Renders lines as they are. */
export const literal = (lines: readonly string[]) =>
  `.PP\n.nf\n.RS 4\n${lines.map(roff).join('\n')}\n.RE\n.fi`;

/** Renders a paragraph of plain text. */
export const paragraph = (text: string) => `.PP\n${roff(text)}`;

/** Renders the first line of a page. */
export function title(name: string, date: string, version: string): string {
  return `.TH ${[name.toUpperCase(), '1', date, `Backoffice ${version}`, 'Backoffice Manual'].map(quoted).join(' ')}`;
}

/** Renders an argument of a request, which ends at a blank unless it is quoted. */
const quoted = (text: string) => `"${roff(text).replaceAll('"', '\\(dq')}"`;
