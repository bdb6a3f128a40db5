/** The words that a saved reply may have in double braces. */
export const placeholders = ['visitor_name', 'admin_name', 'conversation_id'] as const;

export type Placeholder = (typeof placeholders)[number];

const placeholder = new RegExp(`\\{\\{(${placeholders.join('|')})\\}\\}`, 'g');

/**
 * Fills in the placeholders of a saved reply. Unknown ones, and those without a value, stay. A value is never filled in
 * itself, so a visitor's name cannot bring in other texts.
 */
export function fillPlaceholders(
  text: string,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): string {
  // A function, because `$&` in a replacement text would have a meaning.
  return text.replaceAll(placeholder, (written, name: Placeholder) => values[name] ?? written);
}

/** Returns the words in double braces that are no placeholders, such as mistyped ones. */
export function unknownPlaceholders(text: string): readonly string[] {
  const words = [...text.matchAll(/\{\{\s*([\w-]{1,50})\s*\}\}/g)].filter(
    ([written, name]) => !placeholders.some((known) => known === name) || written !== `{{${name}}}`,
  );
  return [...new Set(words.map(([written]) => written))];
}

/** What a search of saved replies looks at. */
type SearchedReply = Readonly<Record<'shortcut' | 'title' | 'content', string>>;

/** Returns the replies with all words of a search, those first whose shortcut starts with it, then by shortcut or title. */
export function findSavedReplies<Reply extends SearchedReply>(
  replies: readonly Reply[],
  search: string,
): readonly Reply[] {
  const wanted = plain(search).trim();
  if (wanted === '') return replies;
  const words = wanted.split(/\s+/);
  return replies
    .filter(({ shortcut, title, content }) => {
      const text = plain(`${shortcut} ${title} ${content}`);
      return words.every((word) => text.includes(word));
    })
    .map((reply) => ({ reply, rank: rankOf(reply, wanted) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ reply }) => reply);
}

function rankOf({ shortcut, title }: SearchedReply, wanted: string): number {
  if (plain(shortcut).startsWith(wanted)) return 0;
  return plain(`${shortcut} ${title}`).includes(wanted) ? 1 : 2;
}

/** Returns a text without case and accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
