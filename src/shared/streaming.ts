/** Takes a piece of text. Resolves when there is room for the next one, with false if the reader has disconnected. */
export type WriteText = (text: string) => Promise<boolean>;

/**
 * Takes rows as JSON texts, some of them several rows joined by commas. Resolves when there is room for more, with false
 * if the reader has disconnected.
 */
export type TakeRows = (rows: readonly string[]) => Promise<boolean>;
