import { sql } from 'slonik';
import { savedReplies } from '../../contract/fields/saved-replies.ts';
import { shortListOf } from '../nouns/short-list.ts';

/** Saved replies, by shortcut. The unique index on shortcuts ignores case. */
export const savedReplyList = shortListOf(savedReplies, {
  order: sql.fragment`lower(shortcut collate "C")`,
  unique: 'saved_replies_shortcut_key',
});
