import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '../../contract/operation.ts';
import type { Actor } from '../../services/call/actor.ts';
import { nameVersion, programVersion } from '../../version.ts';

/** Tells one request whether its client already has the answer (https://www.rfc-editor.org/rfc/rfc9110#section-13). */
export type Validator = NonNullable<ReturnType<typeof createValidator>>;

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
) {
  if (operation.method !== 'GET' || operation.answers !== undefined) return undefined;
  serviceVersion ??= nameVersion(programVersion());
  const who = [serviceVersion, actor?.kind, actor?.id, actor?.role];
  const condition = req.headers['if-none-match'];
  /** Gives the response the entity tag of a version, and returns it, or undefined if the response has started. */
  function tag(version: string): string | undefined {
    if (res.headersSent || res.destroyed) return undefined;
    const text = hash('sha256', JSON.stringify([...who, version]), 'base64url').slice(0, 22);
    res.setHeader('ETag', `W/"${text}"`);
    if (operation.storable) res.setHeader('Cache-Control', 'private, no-cache');
    return text;
  }
  return {
    /** Whether the client names the versions that it has. */
    isConditional: condition !== undefined,
    tag,
    /** Tags the response, and reports whether the client has that version: the response is then finished. */
    answersNotModified(version: string): boolean {
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
