import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Dialog } from '../form/dialog.tsx';
import { type Field, fieldsOf } from '../form/field.tsx';
import type { FormProps, Values } from '../form/form.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import type { Resource } from './resource.ts';
import type { AnyRow } from './rows.ts';
import { formOfRow } from './use-change.ts';

interface EditDialogProps<Row extends AnyRow, V extends Values> {
  readonly of: Resource<Row>;
  /** The row as the address says in `edit`, or a new one. */
  readonly id: Row['id'] | 'new';
  /** Fields of the noun, with what only the form knows. */
  readonly fields: { readonly [Name in keyof V & string]: Partial<Field> };
  /** What a new row begins with. */
  readonly empty: V;
  readonly create: (values: V) => Promise<unknown>;
  readonly nameOf: (row: Row) => string;
  readonly onClose: () => void;
}

/** The form of a row, which may be missing, or of a new one. Load it on demand, with the id as its key. */
export function EditDialog<Row extends AnyRow, V extends Values>(props: EditDialogProps<Row, V>) {
  const { of, id, fields: own, empty, create, nameOf, onClose } = props;
  const { noun, oneQuery, reload } = of;
  const { data, error, refetch } = useQuery({ ...oneQuery(id), enabled: id !== 'new' });
  /** Somebody may delete the row while it is edited. What is typed stays, and saving it says so. */
  const last = useRef<Row>(undefined);
  useEffect(() => {
    if (data) last.current = data;
  }, [data]);
  const row = data ?? last.current;
  const fields = fieldsOf(noun, own);
  const common = { at: ['edit'], onDone: onClose, onCancel: onClose };
  if (id === 'new')
    return (
      <FormDialog
        title={`New ${noun.one}`}
        fields={fields as FormProps<V, void>['fields']}
        start={empty}
        keep={`${noun.id}.new`}
        send={(set) => create({ ...empty, ...set }).then(reload)}
        {...common}
      />
    );
  if (row) return <FormDialog title={`Edit ${nameOf(row)}`} {...formOfRow(of, row, fields)} {...common} />;
  if (data === undefined && error === null) return null;
  return (
    <Dialog opened title={`Edit the ${noun.one}`} onClose={onClose}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data === null && <Note title={`There is no such ${noun.one}`}>It may have been deleted.</Note>}
    </Dialog>
  );
}
