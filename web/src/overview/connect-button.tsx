import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { connectQuery } from '../connect/connect-queries.ts';

/** Leads to the page that connects the website while nothing has come in from it. */
export function ConnectButton() {
  const { data } = useQuery(connectQuery);
  if (data === undefined || Object.values(data.connected).includes(true)) return null;
  return (
    <Button component={Link} to="/connect" size="compact-sm">
      Connect your website
    </Button>
  );
}
