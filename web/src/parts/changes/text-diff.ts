/** A part of a text that stayed, was taken away or was added. */
interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The comparison takes as much memory as both texts multiplied, so longer ones are shown as a whole. */
const maxPieces = 1_500;

/** Compares two texts by their words, or by their lines if they have several. */
export function diffTexts(before: string, after: string): readonly TextPart[] {
  const pattern = `${before}${after}`.includes('\n')
    ? /[^\n]*\n|[^\n]+/g
    : /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
  const [from, to] = [before.match(pattern) ?? [], after.match(pattern) ?? []];
  if (Math.max(from.length, to.length) > maxPieces) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  return joined(walk(from, to, commonLengths(from, to)));
}

/** Returns how many pieces the rests of both texts have in common, from each pair of positions on. */
function commonLengths(from: readonly string[], to: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const [row = [], next = []] = [lengths[i], lengths[i + 1]];
      row[j] = from[i] === to[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

/** Goes through both texts along what they have in common. What was taken away comes before what was added. */
function* walk(
  from: readonly string[],
  to: readonly string[],
  lengths: readonly Uint16Array[],
): Generator<TextPart> {
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && from[i] === to[j]) {
      yield { kind: 'same', text: from[i++] ?? '' };
      j++;
    } else if (
      j >= to.length ||
      (i < from.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    ) {
      yield { kind: 'removed', text: from[i++] ?? '' };
    } else {
      yield { kind: 'added', text: to[j++] ?? '' };
    }
  }
}

/** Joins neighbours of one kind. */
function joined(parts: Iterable<TextPart>): readonly TextPart[] {
  const result: TextPart[] = [];
  for (const { kind, text } of parts) {
    const last = result.at(-1);
    if (last?.kind === kind) result[result.length - 1] = { kind, text: last.text + text };
    else result.push({ kind, text });
  }
  return result;
}
