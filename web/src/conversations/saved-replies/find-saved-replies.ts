import type { SavedReply } from './saved-reply-queries.ts';

/**
 * Returns the saved replies that have all words of a search, those first whose shortcut starts with it, then those whose
 * shortcut or title has it.
 */
export function findSavedReplies(replies: readonly SavedReply[], search: string): readonly SavedReply[] {
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

function rankOf({ shortcut, title }: SavedReply, wanted: string): number {
  if (plain(shortcut).startsWith(wanted)) return 0;
  return plain(`${shortcut} ${title}`).includes(wanted) ? 1 : 2;
}

/** Returns a text without case and accents. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
