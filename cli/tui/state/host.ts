/** What the dashboard reaches besides its screen. */
export interface Host {
  /** Where the web dashboard is, without a slash at the end. */
  readonly webUrl: string;
  /**
   * Opens a text in the user's editor, which gets the terminal until it ends, and returns what the user saved.
   *
   * @param suffix - the suffix of the file
   * @throws FailedError if the editor fails or the file is empty
   */
  edit(text: string, suffix: '.md' | '.json' | '.txt'): Promise<string>;
  /** Puts a text on the clipboard of the user's terminal, also over SSH. Reports whether it is short enough. */
  copy(text: string): boolean;
  /** Opens a page in the user's browser. Reports false if no browser would appear before the user. */
  browse(url: string): Promise<boolean>;
}

/** A machine without an editor, a clipboard and a browser. */
export const noHost: Host = {
  webUrl: 'http://localhost:3000',
  edit: () => Promise.reject(new Error('There is no editor here.')),
  copy: () => false,
  browse: () => Promise.resolve(false),
};
