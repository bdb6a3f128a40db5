/** How much work runs at once, how much may, and how much waits. */
export interface Load {
  readonly capacity: number;
  readonly running: number;
  readonly waiting: number;
}

/** Reports the load at this moment. */
export interface Loaded {
  load(): Load;
}
