/** What a terminal answers when it is asked about itself. */
export type TerminalReply =
  | { readonly kind: 'colour'; readonly of: 'text' | 'background'; readonly value: string }
  /** The last answer: every terminal sends it, and in the order of the questions. */
  | { readonly kind: 'attributes' };

const value = '[rgba:#\\dA-Fa-f/]*';
/** A complete answer, or one that ends because something else follows, which is then no part of it. */
const replies = new RegExp(
  `\\u001B\\](?<number>1[01]);(?<value>${value})(?:\\u0007|\\u001B\\\\|(?=[^\\u0007\\u001Brgba:#\\dA-Fa-f/])|(?=\\u001B[^\\\\]))` +
    '|\\u001B\\[\\?[\\d;]*c',
  'g',
);
/** The start of an answer, whose rest may come later. */
const start = new RegExp(`\\u001B(?:\\](?:1(?:[01](?:;${value}\\u001B?)?)?)?|\\[(?:\\?[\\d;]*)?)?$`);
/** A start that may as well be a key: Esc, or Alt with a bracket. */
const maybeKeys: readonly string[] = ['\u001B', '\u001B[', '\u001B]'];

/** Takes the answers of the terminal out of what arrives from it, so that none is mistaken for keys. */
export interface ReplyFilter {
  /** Returns the keys of a text. Keeps the start of an answer until the rest of it arrives. */
  push(text: string): string;
  /** Reports whether it keeps what may be a key. */
  holdsKey(): boolean;
  /** Returns what it keeps, if that may be a key. */
  release(): string;
}

/** @param onReply - receives each answer. An incomplete one is dropped. */
export function createReplyFilter(onReply: (reply: TerminalReply) => void): ReplyFilter {
  let kept = '';
  return {
    push(text) {
      const all = kept + text;
      let keys = '';
      let end = 0;
      for (const match of all.matchAll(replies)) {
        keys += all.slice(end, match.index);
        end = match.index + match[0].length;
        const { number, value = '' } = match.groups ?? {};
        if (number === undefined) onReply({ kind: 'attributes' });
        else onReply({ kind: 'colour', of: number === '11' ? 'background' : 'text', value });
      }
      const rest = all.slice(end);
      const at = start.exec(rest)?.index ?? rest.length;
      kept = rest.slice(at);
      return keys + rest.slice(0, at);
    },
    holdsKey: () => maybeKeys.includes(kept),
    release() {
      if (!maybeKeys.includes(kept)) return '';
      const keys = kept;
      kept = '';
      return keys;
    },
  };
}
