import type { Gauge } from 'prom-client';
import type { PoolLoad } from '../../db/connection/connections.ts';
import type { OpenServices } from '../../services/open.ts';
import type { Prometheus } from './prometheus.ts';

/**
 * Adds the gauges of the pools, the queues and the followers, which are read at each scrape.
 *
 * @param jobPool - returns the load of the job queue's connections, undefined before they are opened
 */
export function addServiceMetrics(
  prometheus: Prometheus,
  services: OpenServices,
  jobPool: () => PoolLoad | undefined,
): void {
  const { load, events } = services;

  /** Adds a gauge with a value for each pool or queue. */
  function byName<T>(
    label: 'pool' | 'queue',
    entries: () => Readonly<Record<string, T>>,
    gauges: readonly (readonly [name: string, help: string, value: (each: T) => number])[],
  ): void {
    for (const [name, help, value] of gauges) {
      const collect = (gauge: Gauge<typeof label>) => {
        for (const [key, each] of Object.entries(entries())) gauge.set({ [label]: key }, value(each));
      };
      prometheus.gaugeOf(name, help, collect, label);
    }
  }

  function pools(): Readonly<Record<string, PoolLoad>> {
    const jobs = jobPool();
    return { ...load().pools, ...(jobs === undefined ? {} : { jobs }) };
  }
  byName('pool', pools, [
    ['database_pool_max_connections', 'Connections that a pool may have.', ({ max }) => max],
    ['database_pool_open_connections', 'Connections that a pool has.', ({ open }) => open],
    ['database_pool_used_connections', 'Connections of a pool that are in use.', ({ inUse }) => inUse],
    ['database_pool_waiting', 'Work that waits for a connection of a pool.', ({ waiting }) => waiting],
  ]);
  byName('queue', () => load().queues, [
    ['queue_capacity', 'Work of a class that may run at once.', ({ capacity }) => capacity],
    ['queue_running', 'Work of a class that runs.', ({ running }) => running],
    ['queue_waiting', 'Work of a class that waits for its turn.', ({ waiting }) => waiting],
  ]);
  prometheus.gaugeOf('event_streams', 'Followers of the event stream of this instance.', (gauge) =>
    gauge.set(events.followers),
  );
  if (load().replica !== undefined) addReplicaMetrics(prometheus, services);
}

function addReplicaMetrics({ gaugeOf }: Prometheus, { load }: OpenServices): void {
  gaugeOf('replica_used', '1 if the read replica answers reads, 0 if the primary does.', (gauge) =>
    gauge.set(load().replica?.used ? 1 : 0),
  );
  gaugeOf(
    'replica_lag_seconds',
    'Time since the read replica last had all that the primary had. Absent until it has.',
    (gauge) => {
      const lagMs = load().replica?.lagMs;
      if (lagMs === undefined) gauge.remove();
      else gauge.set(lagMs / 1_000);
    },
  );
}
