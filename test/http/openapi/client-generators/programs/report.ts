/** What a program did with its client. Each program fills it in from typed answers alone. */
export interface Report {
  /** The ids of an issue that was created twice with one Idempotency-Key. */
  readonly created: readonly [number, number];
  /** The titles of the open issues, a page of them. */
  readonly titles: readonly string[];
  /** What a bulk change of the issue says. */
  readonly change: { readonly matched: number; readonly changed: number };
  /** What the first streamed event about a new issue says. */
  readonly event: { readonly subject: string | null; readonly title: string; readonly severity: string };
  /** The error of an issue without a title. */
  readonly error: { readonly status: number; readonly text: string };
}

/** The steps of a program. `create` makes the issue with one Idempotency-Key, and returns its id. */
type Steps = { create(): Promise<number>; change(id: number): Promise<Report['change']> } & {
  [Step in 'titles' | 'event' | 'error']: () => Promise<Report[Step]>;
};

/** Takes the steps in order. */
export async function reportOf({ create, titles, change, event, error }: Steps): Promise<Report> {
  const created = [await create(), await create()] as const;
  const listed = await titles();
  const changed = await change(created[0]);
  return { created, titles: listed, change: changed, event: await event(), error: await error() };
}

/** Returns what a client gives, but for its type may not. */
export function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('An answer is missing.');
  return value;
}

export const title = 'Made by a generated client';

/** Yields the `data` of a stream of server-sent events, for clients that do not read streams themselves. */
export async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const line = block.split('\n').find((each) => each.startsWith('data: '));
        if (line !== undefined) yield line.slice('data: '.length);
      }
    }
  } finally {
    await reader.cancel();
  }
}
