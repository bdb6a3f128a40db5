/** A mail as its recipient sees it. */
export interface ReceivedMail {
  /** The addresses that the client named, whatever the headers say. */
  readonly recipients: readonly string[];
  /** The lines of the header, with those that were folded joined. */
  readonly headerLines: readonly string[];
  /** The header of that name, decoded. */
  header(name: string): string | undefined;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

/** Parses what nodemailer makes of a mail with a text and its HTML. */
export function parseMail(raw: string, recipients: readonly string[]): ReceivedMail {
  const { headerLines, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(fieldOf(headerLines, 'content-type') ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')));
  const partOf = (type: string) =>
    parts.find((part) => fieldOf(part.headerLines, 'content-type')?.startsWith(type));
  return {
    recipients,
    headerLines,
    header: (name) => decodeWords(fieldOf(headerLines, name)),
    text: decodeBody(partOf('text/plain')),
    html: decodeBody(partOf('text/html')),
    raw,
  };
}

interface Part {
  readonly headerLines: readonly string[];
  readonly body: string;
}

function split(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const headerLines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  return { headerLines, body: text.slice(end + 4) };
}

function fieldOf(headerLines: readonly string[], name: string): string | undefined {
  const start = `${name.toLowerCase()}:`;
  return headerLines
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

function decodeBody(part: Part | undefined): string {
  if (part === undefined) return '';
  const encoding = fieldOf(part.headerLines, 'content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString();
  return (encoding === 'quoted-printable' ? decodeQuoted(part.body) : part.body).replaceAll('\r\n', '\n');
}

function decodeQuoted(text: string): string {
  const toByte = (_match: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const bytes = text.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, toByte);
  return Buffer.from(bytes, 'latin1').toString();
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
function decodeWords(value: string | undefined): string | undefined {
  return value
    ?.replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_match, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}
