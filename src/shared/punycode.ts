/* RFC 3492, which browsers have no function for. */

const base = 36;
const minThreshold = 1;
const maxThreshold = 26;
const skew = 38;
const damp = 700;
const firstBias = 72;
const firstCodePoint = 0x80;
const lastCodePoint = 0x10_ff_ff;

/** Decodes Punycode without its `xn--`: `mnchen-3ya` is `münchen`. Returns undefined if the text is not Punycode. */
export function decodePunycode(text: string): string | undefined {
  const end = text.lastIndexOf('-');
  const points = [...text.slice(0, Math.max(0, end))].map((letter) => letter.codePointAt(0) ?? 0);
  let [point, place, bias] = [firstCodePoint, 0, firstBias];
  for (let at = end + 1; at < text.length; ) {
    const before = place;
    for (let [weight, step] = [1, base]; ; step += base) {
      const digit = digitOf(text.charAt(at++));
      if (digit === undefined) return undefined;
      place += digit * weight;
      const threshold = Math.min(Math.max(step - bias, minThreshold), maxThreshold);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = points.length + 1;
    bias = adapt(place - before, length, before === 0);
    point += Math.floor(place / length);
    if (!Number.isSafeInteger(point) || point > lastCodePoint) return undefined;
    place %= length;
    points.splice(place++, 0, point);
  }
  return String.fromCodePoint(...points);
}

function digitOf(letter: string): number | undefined {
  return /^[a-z0-9]$/i.test(letter) ? (Number.parseInt(letter, base) + 26) % base : undefined;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > ((base - minThreshold) * maxThreshold) / 2; bias += base)
    rest = Math.floor(rest / (base - minThreshold));
  return bias + Math.floor(((base - minThreshold + 1) * rest) / (rest + skew));
}
