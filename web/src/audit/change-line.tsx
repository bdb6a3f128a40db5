import { Fragment } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { AuditEntry } from './audit-queries.ts';
import { changedFields, changeInWords, shortly } from './audit-words.ts';

/** A change in one line. */
export function ChangeLine({ entry }: { readonly entry: AuditEntry }) {
  const { before, after } = entry;
  return (
    <span title={changeInWords(entry)}>
      {changedFields(before, after).map(({ name, was, is }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          {name}:{' '}
          {was === undefined || after === null ? (
            shortly(is ?? was)
          ) : (
            <>
              {shortly(was)} <Icon name="forward" /> {is === undefined ? 'none' : shortly(is)}
            </>
          )}
        </Fragment>
      ))}
    </span>
  );
}
