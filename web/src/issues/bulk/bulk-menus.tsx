import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { AssigneeItems } from '../../assignees/assignee-items.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Mark } from '../../parts/mark.tsx';
import { issueStatisticsQuery } from '../issue-chart-queries.ts';
import type { IssueChange } from '../issue-updates.ts';

interface BulkMenusProps {
  readonly onChoose: (set: IssueChange) => void;
}

/** What many issues can be set to. */
export function BulkMenus({ onChoose }: BulkMenusProps) {
  return (
    <>
      <Choice label="Set status">
        {issueStatuses.map((status) => (
          <Menu.Item key={status} onClick={() => onChoose({ status })}>
            <Mark word={status} />
          </Menu.Item>
        ))}
      </Choice>
      <Choice label="Set severity">
        {severities.map((severity) => (
          <Menu.Item key={severity} onClick={() => onChoose({ severity })}>
            <Mark word={severity} />
          </Menu.Item>
        ))}
      </Choice>
      <Choice label="Set category">
        <Categories onChoose={onChoose} />
      </Choice>
      <Choice label="Assign">
        <AssigneeItems onChoose={(id) => onChoose({ assignee_id: id })} />
      </Choice>
    </>
  );
}

function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Menu position="top" shadow="md">
      <Menu.Target>
        <Button size="compact-sm" variant="default" rightSection={<Icon name="chevron" />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** The categories in use. A new one is given in an issue itself. */
function Categories({ onChoose }: BulkMenusProps) {
  const { data } = useQuery(issueStatisticsQuery('all'));
  return (data?.categoryCounts ?? []).map(({ category }) => (
    <Menu.Item key={category} disabled={category === ''} onClick={() => onChoose({ category })}>
      {category || 'None'}
    </Menu.Item>
  ));
}
