import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../app/session/session.ts';
import { assigneesQuery, nameOf } from './admins.ts';

interface AssigneeItemsProps {
  /** Gets the id of an admin, or null for nobody. */
  readonly onChoose: (id: string | null) => void;
}

/** The items of a menu that assigns several things: oneself, nobody, and the other admins if there are any. */
export function AssigneeItems({ onChoose }: AssigneeItemsProps) {
  const { admin: me } = useSession();
  const { data = [] } = useQuery(assigneesQuery(''));
  const others = data.filter(({ id }) => id !== me.id);
  return (
    <>
      <Menu.Item onClick={() => onChoose(me.id)}>Me</Menu.Item>
      <Menu.Item onClick={() => onChoose(null)}>Nobody</Menu.Item>
      {others.length > 0 && <Menu.Divider />}
      {others.map((admin) => (
        <Menu.Item key={admin.id} onClick={() => onChoose(admin.id)}>
          {nameOf(admin)}
        </Menu.Item>
      ))}
    </>
  );
}
