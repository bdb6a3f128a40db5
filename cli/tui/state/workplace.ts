import type { Access } from '../../access/access.ts';
import type { BadgeColour } from '../colours/palettes.ts';
import type { Identity } from './identity.ts';

/** What the dashboard works on: the database of this machine, or a server. */
export interface Workplace {
  /** `local`, or the name of the context, or the host of the server. */
  readonly target: string;
  /** The colour of the context, if it has one. */
  readonly targetColour?: BadgeColour | undefined;
  /** Who the dashboard acts as there; null if the server has not told. By default, the operator of this machine. */
  readonly identity?: Identity | null;
  readonly access: Access;
  /** Where its web dashboard is, without a slash at the end. */
  readonly webUrl: string;
}

/** The workplaces that the user can change to. */
export interface Workplaces {
  /** Their names and addresses. */
  readonly all: readonly { readonly target: string; readonly where: string }[];
  /**
   * Opens one of them.
   *
   * @throws if its server does not answer, or does not accept the token
   */
  open(target: string): Promise<Workplace>;
}
