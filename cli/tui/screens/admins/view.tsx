import { apart } from '../../../output/cells.ts';
import { counted } from '../../../output/number.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import { type AdminRow, adminTableColumns } from './row.ts';

export interface AdminsState {
  readonly page: number;
  readonly totalPages: number;
  readonly total: number;
}

export interface AdminsParts {
  readonly store: Store<AdminsState>;
  readonly list: List<AdminRow>;
}

/** Shows one page of the admins. */
export function adminsView(app: App, { store, list }: AdminsParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { page, totalPages, total } = useStore(store);
    const { now } = useStore(app.store);
    const count = theme.quiet(counted(total, 'admin'));
    const position = theme.quiet(`page ${page} of ${totalPages} `);
    return (
      <>
        <Lines lines={[apart(`  ${count}`, position, width)]} height={1} />
        <Table
          list={list}
          columns={adminTableColumns(now)}
          keyOf={({ id }) => id}
          width={width}
          height={height - 1}
          empty={['No admins yet.', ...keyHints(app, ['admins.create', 'creates an admin.'])]}
        />
      </>
    );
  };
}
