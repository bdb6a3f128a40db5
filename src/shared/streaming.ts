/** Takes a piece of text. Resolves when there is room for the next piece, with false when the reader has left. */
export type WriteText = (text: string) => Promise<boolean>;

/** Takes rows as JSON texts. Resolves when there is room for more, with false when the reader has left. */
export type TakeRows = (rows: readonly string[]) => Promise<boolean>;
