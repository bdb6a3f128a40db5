/** What a terminal sends besides keys: what it answers when it is asked about itself, and what the mouse does. */
export type TerminalReply =
  | { readonly kind: 'colour'; readonly of: 'text' | 'background'; readonly value: string }
  /** The last answer: every terminal sends it, and in the order of the questions. */
  | { readonly kind: 'attributes' }
  /** A report such as `0;10;5M`, in the form that `takeMouse` asks for. */
  | { readonly kind: 'mouse'; readonly report: string };

const value = '[rgba:#\\dA-Fa-f/]*';
/** A complete answer, or one that ends because something else follows, which is then no part of it. */
const replies = new RegExp(
  `\\u001B\\](?<number>1[01]);(?<value>${value})(?:\\u0007|\\u001B\\\\|(?=[^\\u0007\\u001Brgba:#\\dA-Fa-f/])|(?=\\u001B[^\\\\]))` +
    '|\\u001B\\[\\?[\\d;]*c|\\u001B\\[<(?<report>[\\d;]*[Mm])',
  'g',
);
/** The start of an answer, whose rest may come later. */
const start = new RegExp(`\\u001B(?:\\](?:1(?:[01](?:;${value}\\u001B?)?)?)?|\\[(?:[?<][\\d;]*)?)?$`);
/** A start that may also be a key: Esc, or Alt with a bracket. */
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

const esc = '\u001B';
const startOfPaste = '\u001B[200~';
const endOfPaste = '\u001B[201~';
/** What is left of a report of the mouse whose first character was taken for the Esc key. */
const tailOfReport = new RegExp(`^${esc}?\\[<[\\d;]*[Mm]?`);

/** @param onReply - receives each answer. An incomplete one is dropped. */
export function createReplyFilter(onReply: (reply: TerminalReply) => void): ReplyFilter {
  let kept = '';
  /** What was released last, until the next text comes. */
  let released = '';
  let isPasting = false;

  /** Passes on a text without the answers in it. Keeps the start of an answer. */
  const keysOf = (all: string): string => {
    let keys = '';
    let end = 0;
    for (const match of all.matchAll(replies)) {
      keys += all.slice(end, match.index);
      end = match.index + match[0].length;
      const { number, value = '', report } = match.groups ?? {};
      if (report !== undefined) onReply({ kind: 'mouse', report });
      else if (number === undefined) onReply({ kind: 'attributes' });
      else onReply({ kind: 'colour', of: number === '11' ? 'background' : 'text', value });
    }
    const rest = all.slice(end);
    const at = start.exec(rest)?.index ?? rest.length;
    kept = rest.slice(at);
    return keys + rest.slice(0, at);
  };
  /** In a pasted text nothing is an answer, whatever somebody has written there. */
  const pass = (all: string): string => {
    kept = '';
    const [mark, isPasted] = isPasting ? [endOfPaste, true] : [startOfPaste, false];
    const at = all.indexOf(mark);
    if (at === -1) return isPasted ? all : keysOf(all);
    isPasting = !isPasted;
    const before = all.slice(0, at);
    return (isPasted ? before : keysOf(before)) + mark + pass(all.slice(at + mark.length));
  };
  return {
    push(text) {
      // Over a slow line the rest of a report may come after its Esc was taken for a key. It is no text.
      const isTail = released !== '' && tailOfReport.test(released + text);
      const all = kept + (isTail ? released : '') + text;
      released = '';
      return pass(all);
    },
    holdsKey: () => maybeKeys.includes(kept),
    release() {
      if (!maybeKeys.includes(kept)) return '';
      released = kept;
      kept = '';
      return released;
    },
  };
}
