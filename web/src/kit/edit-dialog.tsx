import type { ReactNode } from 'react';
import { Dialog } from '../form/dialog.tsx';
import { type Field, fieldsOf } from '../form/field.tsx';
import type { FormProps, Values } from '../form/form.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { capital } from '../parts/words.ts';
import { useRow } from './list.ts';
import type { Resource } from './resource.ts';
import type { AnyRow } from './rows.ts';
import { formOfRow } from './use-change.ts';

interface RowDialogProps<Row extends AnyRow> {
  readonly of: Resource<Row>;
  readonly id: Row['id'];
  /** The dialog of the row. */
  readonly children: (row: Row) => ReactNode;
  readonly onClose: () => void;
}

/** A dialog about a row, which may be missing. Load it on demand, with the id as its key. */
export function RowDialog<Row extends AnyRow>({ of, id, children, onClose }: RowDialogProps<Row>) {
  const { one } = of.noun;
  const { row, error, retry } = useRow(of, id, true);
  if (row) return children(row);
  if (row === undefined && error === null) return null;
  return (
    <Dialog title={capital(one)} onClose={onClose}>
      {error && <Failure error={error} retry={retry} />}
      {row === null && <Note title={`There is no such ${one}`}>It may have been deleted.</Note>}
    </Dialog>
  );
}

interface EditDialogProps<Row extends AnyRow, V extends Values> {
  readonly of: Resource<Row>;
  /** The row as the address says in `edit`, or a new one. */
  readonly id: Row['id'] | 'new';
  /** Fields of the noun, with what only the form knows. */
  readonly fields: { readonly [Name in keyof V & string]: Partial<Field> };
  /** What a new row begins with. */
  readonly empty: V;
  /** Creates a row. The same values have the same key. */
  readonly create: (values: V, key: string) => Promise<unknown>;
  readonly nameOf: (row: Row) => string;
  readonly onClose: () => void;
}

/** The form of a row, or of a new one. */
export function EditDialog<Row extends AnyRow, V extends Values>(props: EditDialogProps<Row, V>) {
  const { of, id, fields: own, empty, create, nameOf, onClose } = props;
  const { noun, reload } = of;
  const fields = fieldsOf(noun, own);
  const common = { at: ['edit'], onCancel: onClose };
  if (id === 'new')
    return (
      <FormDialog
        title={`New ${noun.one}`}
        fields={fields as FormProps<V, void>['fields']}
        start={empty}
        keep={`${noun.id}.new`}
        send={(set, _seen, key) => create({ ...empty, ...set }, key).then(reload)}
        {...common}
      />
    );
  return (
    <RowDialog of={of} id={id} onClose={onClose}>
      {(row) => <FormDialog title={`Edit ${nameOf(row)}`} {...formOfRow(of, row, fields)} {...common} />}
    </RowDialog>
  );
}
