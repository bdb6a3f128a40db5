/** What a search of saved replies looks at. */
interface SearchedReply {
  readonly shortcut: string;
  readonly title: string;
  readonly content: string;
}

/**
 * Returns the saved replies that have all words of a search, those first whose shortcut starts with it, then those whose
 * shortcut or title has it.
 */
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
