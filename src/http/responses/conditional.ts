import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../../contract/operation.ts';
import type { Actor } from '../../services/call/actor.ts';
import { nameVersion, programVersion } from '../../version.ts';

/** Tells one request whether its client already has the answer (https://www.rfc-editor.org/rfc/rfc9110#section-13). */
export interface Validator {
  /** Whether the client names the versions that it has. */
  readonly isConditional: boolean;
  /** Gives the response the entity tag of a version. */
  tag(version: string): void;
  /**
   * Gives the response the entity tag of a version, and reports whether the client has that version. Then the response is
   * finished, without a body.
   */
  answersNotModified(version: string): boolean;
}

let serviceVersion: string | undefined;

/**
 * Creates the validator of a request. Tags are weak: they say that answers mean the same, in whatever coding. What else
 * an answer depends on is part of the tag: who asks, with which role, and the version of the service.
 */
export function createValidator(
  operation: Pick<Operation, 'method' | 'answers' | 'storable'>,
  req: IncomingMessage,
  res: ServerResponse,
  actor: Pick<Actor, 'kind' | 'id' | 'role'> | null,
): Validator | undefined {
  if (operation.method !== 'GET' || operation.answers === 'events') return undefined;
  serviceVersion ??= nameVersion(programVersion());
  const who = [serviceVersion, actor?.kind, actor?.id, actor?.role];
  const condition = req.headers['if-none-match'];
  /** Returns the tag, or undefined if the response has started. */
  function tag(version: string): string | undefined {
    if (res.headersSent || res.destroyed) return undefined;
    const text = hash('sha256', JSON.stringify([...who, version]), 'base64url').slice(0, 22);
    res.setHeader('ETag', `W/"${text}"`);
    if (operation.storable) res.setHeader('Cache-Control', 'private, no-cache');
    return text;
  }
  return {
    isConditional: condition !== undefined,
    tag,
    answersNotModified(version) {
      const given = tag(version);
      if (given === undefined || !namesTag(condition, given)) return false;
      res.statusCode = 304;
      res.end();
      return true;
    },
  };
}

/** Reports whether an `If-None-Match` header names the tag, weak or not. The star stands for any. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return (
    header.trim() === '*' || header.split(',').some((each) => each.trim().replace(/^W\//, '') === `"${tag}"`)
  );
}

/** Removes what the headers say about an answer that turned out to be an error. */
export function removeValidators(res: ServerResponse): void {
  if (!res.hasHeader('ETag')) return;
  res.removeHeader('ETag');
  res.removeHeader('Link');
  res.setHeader('Cache-Control', 'no-store');
}
