import type { Event } from '../../../src/contract/events/envelope.ts';
import type { OperationId } from '../../../src/contract/registry.ts';

/** An operation, with example input if its rule depends on which fields it gets. */
export type Calls = OperationId | readonly [OperationId, Readonly<Record<string, unknown>>];

/** Something that a key does. Hints, help, palette, refusals, `keys.json` and the documentation follow from it. */
export interface Action {
  /** What `keys.json` calls it. Screens that share an action share its id. */
  readonly id: string;
  readonly keys: readonly string[];
  /** What it does: `Report an issue`. */
  readonly title: string;
  /** One or two words for the bottom line. Without it, only the help and the palette show the action. */
  readonly hint?: string;
  /** What it calls: the read-only mode and the rules of roles refuse it by that. */
  readonly calls?: Calls;
  /** An action of the dashboard that dialogs have too. */
  readonly everywhere?: true;
  run(): unknown;
}

/** What people read about an action, and what decides who has it. */
export type ActionAbout = Omit<Action, 'id' | 'keys' | 'run'>;

/** Declares an action. */
export const action = (
  id: string,
  keys: string | readonly string[],
  about: ActionAbout,
  run: () => unknown,
): Action => ({ id, keys: [keys].flat(), ...about, run });

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A feature of a screen. Esc asks the parts in their order. */
export interface Part {
  /** A function if they depend on what is shown. */
  readonly actions?: readonly Action[] | (() => readonly Action[]);
  /** The actions of its dialogs, which `keys.json` may name and the documentation lists. */
  readonly inDialogs?: readonly Action[];
  /** What it says at the left end of the line above the list, if possible within this number of cells. */
  head?(cells: number): string | undefined;
  /** What it says at the right end of that line, if there is room. */
  figures?(): string | undefined;
  /** What stands beside the list, or below it on a narrow terminal. */
  panel?(size: Size): readonly string[] | undefined;
  /** On a narrow terminal, its panel takes the place of the list. */
  readonly coversList?: true;
  /** Goes back one step. Returns false if there is none. */
  back?(): boolean;
  /** @param hasMissed - events may have been lost: what they keep current must load too */
  refresh?(hasMissed: boolean): unknown;
  /** Filters the list, as another screen asks for. */
  filter?(text: string): unknown;
  onEvents?(events: readonly Event[]): void;
  /** A sentence for each thing that quitting would lose. */
  unfinished?(): readonly string[];
}

/** What gets the keys: a screen, or a dialog over it. */
export interface Layer {
  actions(): readonly Action[];
  draw(size: Size): readonly string[];
  /** Takes typed and pasted text. With it, characters are never keys. */
  write?(text: string): void;
  /** Goes back one step. Returns false if there is none. */
  back(): boolean;
}

export interface Dialog extends Layer {
  title(): string;
  /** How many rows it wants below its title. */
  rows(cells: number): number;
}

/** A row that the palette has found. */
export interface Found {
  readonly title: string;
  run(): unknown;
}

export interface Screen extends Layer {
  readonly id: string;
  readonly title: string;
  /** What it needs to read: a role that may not call it has no such screen. */
  readonly calls?: Calls;
  readonly inDialogs: readonly Action[];
  /** What its keys do in each of its tabs, if it has tabs. */
  readonly keyboards?: readonly { readonly title: string; actions(): readonly Action[] }[];
  /** Where the cursor is: `3 of 120`. */
  position(): string;
  /** @param hasMissed - events may have been lost: what they keep current must load too */
  refresh(hasMissed?: boolean): Promise<unknown>;
  /** Receives events while it is shown. */
  onEvents(events: readonly Event[]): void;
  unfinished(): readonly string[];
  /** Shows what an address of another screen names, such as an issue by its number. */
  reveal?(key: string | number): unknown;
  /** Shows what a filter finds. */
  filter?(text: string): unknown;
  /** Rows for the palette. */
  find?(text: string): Promise<readonly Found[]>;
}
