import { noVisitorMail } from '../../../../src/contract/deliveries.ts';
import type { VisitorMailMode } from '../../../../src/contract/known-settings/visitor-mail.ts';
import type { ThreadMessage, ThreadPage } from '../../../access/pages.ts';
import { cut, wrap } from '../../../terminal/cells.ts';
import { counted, printable } from '../../../terminal/text.ts';
import {
  commentLines,
  headLines,
  type ListedComment,
  messageLines,
  readableCells,
} from '../../../terminal/thread.ts';
import type { Size } from '../../app/types.ts';
import { titleRule } from '../../draw/frame.ts';
import { style, threadLook } from '../../draw/style.ts';
import type { Conversation } from './rows.ts';
import { isUnread, lastFailed, waitingDrafts } from './rows.ts';

/** What is known of the conversation that is read. */
export interface Loaded {
  readonly id: string;
  /** Null: it was deleted. Undefined: it is not known yet. */
  conversation: Conversation | null | undefined;
  /** Oldest first. Undefined until they are loaded. */
  messages?: readonly ThreadMessage[];
  issues: ThreadPage['issues'];
  /** All comments of the team, oldest first. */
  comments: readonly ListedComment[];
  visitorMail?: VisitorMailMode | undefined;
  /** Leads to earlier messages; null if there are none. */
  next: string | null;
  error: string;
}

/** What stands beside a draft and below a mail that failed: the keys that act on it. */
export interface ThreadHints {
  draft(): string;
  failed(): string;
}

interface Block {
  readonly key: string;
  readonly lines: readonly string[];
  /** The message that it shows, if it shows one. */
  readonly message?: number;
}

/** The line at the top, by what it belongs to, so that it stays there when lines are added above or below. */
type Anchor = 'end' | { readonly key: string; readonly offset: number };

/** Draws a thread, and knows which of its lines are visible. */
export function threadView(hints: ThreadHints) {
  let anchor: Anchor = 'end';
  let room = 10;
  let top = 0;
  let total = 0;
  let seen: number | undefined;
  let starts: ReadonlyMap<string, number> = new Map();
  let drawn: { readonly of: readonly unknown[]; readonly blocks: readonly Block[] } | undefined;

  /** Long threads are drawn again only when something in them changes. */
  const blocksOf = (loaded: Loaded, cells: number): readonly Block[] => {
    const { messages, comments, next } = loaded;
    const minute = Math.floor(Date.now() / 60_000);
    const of = [messages, comments, next, cells, minute, style.accent];
    if (drawn?.of.every((each, at) => each === of[at]) !== true)
      drawn = { of, blocks: threadBlocks(loaded, cells, hints) };
    return drawn.blocks;
  };
  const lastTop = () => Math.max(0, total - room);
  const scrollTo = (wanted: number) => {
    top = Math.max(0, Math.min(wanted, lastTop()));
    if (wanted >= lastTop()) anchor = 'end';
    else {
      const entries = [...starts];
      const [key, start] = entries.findLast(([, at]) => at <= top) ?? entries[0] ?? ['', 0];
      anchor = { key, offset: top - start };
    }
  };
  const place = (blocks: readonly Block[]) => {
    const found = new Map<string, number>();
    total = 0;
    for (const { key, lines } of blocks) {
      if (key !== earlier) found.set(key, total);
      total += lines.length;
    }
    starts = found;
    const start = anchor === 'end' ? lastTop() : (found.get(anchor.key) ?? 0) + anchor.offset;
    top = Math.max(0, Math.min(start, lastTop()));
  };

  return {
    top: () => top,
    page: () => Math.max(1, room - 1),
    seen: () => seen,
    scrollTo,
    clear() {
      anchor = 'end';
      seen = undefined;
      drawn = undefined;
    },
    /** Shows the first unread message, or the newest. */
    start(messages: readonly ThreadMessage[]) {
      const unread = messages.find(isUnread);
      anchor = unread === undefined ? 'end' : { key: `message ${unread.id}`, offset: 0 };
    },
    draw(loaded: Loaded, { width, height }: Size): readonly string[] {
      const { conversation, messages, error } = loaded;
      const title = titleRule(printable(conversation?.subject || 'No subject'), width);
      if (conversation === null) return [title, style.quiet('  This conversation no longer exists.')];
      if (conversation === undefined || messages === undefined)
        return [title, error === '' ? style.quiet('  Loading…') : style.bad(`  ✗ ${cut(error, width - 6)}`)];
      const cells = readableCells(width - 4);
      // On a low terminal, the messages need the room.
      const facts = factsOf({ ...loaded, conversation }, cells).slice(0, Math.max(1, Math.floor(height / 3)));
      const head = [title, ...facts.map((line) => `  ${line}`), ''];
      const blocks = blocksOf(loaded, cells);
      room = Math.max(1, height - head.length);
      place(blocks);
      const lines = blocks.flatMap((block) => block.lines).slice(top, top + room);
      const below = total - top - lines.length;
      if (below > 0) lines[lines.length - 1] = style.accent(`↓ ${counted(below + 1, 'more line')}`);
      const end = top + lines.length - (below > 0 ? 1 : 0);
      // Its first line says who wrote it; the second begins the text.
      for (const { key, message } of blocks)
        if (message !== undefined && (starts.get(key) ?? 0) + 1 < end) seen = Math.max(seen ?? 0, message);
      return [...head, ...lines.map((line) => `  ${line}`)];
    },
  };
}

const earlier = 'earlier';

function factsOf(
  { conversation, issues, visitorMail, error }: Loaded & { readonly conversation: Conversation },
  cells: number,
): readonly string[] {
  return [
    ...(error === '' ? [] : [style.bad(cut(`✗ ${error}`, cells))]),
    ...headLines({ conversation, issues }, cells, threadLook()),
    ...(visitorMail === undefined || visitorMail === 'on'
      ? []
      : wrap(noVisitorMail[visitorMail], cells).map(style.quiet)),
  ];
}

/** Returns the messages with the comments between them, oldest first. Comments before the first loaded message wait. */
function threadBlocks(
  { conversation, messages = [], comments, next }: Loaded,
  cells: number,
  hints: ThreadHints,
): readonly Block[] {
  const look = threadLook();
  const visitor = conversation?.visitor_name ?? 'the visitor';
  const waiting = new Set(waitingDrafts(messages));
  const failed = lastFailed(messages);
  const from = next === null ? '' : (messages[0]?.created_at ?? '');
  const shown = [
    ...messages.map((message) => {
      const draft = waiting.has(message) ? message.ai_draft : null;
      const lines = messageLines({ ...message, ai_draft: draft }, visitor, cells, look, hints.draft());
      const note = message === failed ? [style.quiet(`  ${hints.failed()}`)] : [];
      const block = { key: `message ${message.id}`, message: message.id, lines: [...lines, ...note, ''] };
      return { at: message.created_at, block };
    }),
    ...comments
      .filter(({ created_at }) => created_at >= from)
      .map((comment) => {
        const lines = [...commentLines(comment, cells, look, ['only for the team']), ''];
        return { at: comment.created_at, block: { key: `comment ${comment.id}`, lines } };
      }),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  const blocks: readonly Block[] = shown.map(({ block }) => block);
  if (next !== null) return [{ key: earlier, lines: [style.quiet('↑ earlier messages'), ''] }, ...blocks];
  return blocks.length > 0 ? blocks : [{ key: '', lines: [style.quiet('No messages yet.')] }];
}
