import { Button, Skeleton } from '@mantine/core';
import { type CSSProperties, type ReactNode, useId, useRef, useState } from 'react';
import { Failure } from '../failure.tsx';
import { tellError } from '../tell.ts';
import styles from './chart-card.module.css';
import { type ChartData, isEmpty } from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';

interface ChartCardProps {
  readonly title: string;
  /** What the figures say in a sentence, or what to know to read them. */
  readonly note?: ReactNode;
  /** What chooses the data. */
  readonly controls?: ReactNode;
  /** Undefined while the data is loaded. */
  readonly data: ChartData | undefined;
  readonly error?: Error | null;
  readonly retry?: () => void;
  /** What to say if there is nothing to draw. */
  readonly empty: ReactNode;
  /** The height of the chart, with its legend. It is kept while there is no chart. */
  readonly height: number;
  /** The beginning of the names of its files, such as `issues-by-day`. */
  readonly file: string;
  /** Draws the chart. */
  readonly children: (data: ChartData) => ReactNode;
}

/** A chart with its title, the table behind it, and its files. */
export function ChartCard(props: ChartCardProps) {
  const { title, note, controls, data, error, retry = () => {}, empty, height, file, children } = props;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const hasFigures = data !== undefined && !isEmpty(data);
  return (
    <section ref={card} className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {controls && (
          <div data-picture="none" data-print="none">
            {controls}
          </div>
        )}
      </div>
      <p className={styles.note}>{note}</p>
      <div className={styles.chart} style={{ '--height': `${height}px` } as CSSProperties}>
        {hasFigures && children(data)}
        {data !== undefined && !hasFigures && <p className={styles.empty}>{empty}</p>}
        {data === undefined && error && <Failure error={error} retry={retry} />}
        {data === undefined && !error && <Skeleton height={height} data-loading />}
      </div>
      <Behind title={title} data={data} file={file} card={() => card.current} />
    </section>
  );
}

interface BehindProps extends Pick<ChartCardProps, 'title' | 'data' | 'file'> {
  readonly card: () => HTMLElement | null;
}

/** The table behind a chart, and its files. On paper, the table is always there. */
function Behind({ title, data, file, card }: BehindProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [isDrawing, setIsDrawing] = useState(false);

  async function saveCsv(): Promise<void> {
    if (data === undefined) return;
    const { csvOf } = await import('./csv.ts');
    await save(csvOf(data), 'csv');
  }

  async function savePicture(): Promise<void> {
    const element = card();
    if (element === null) return;
    setIsDrawing(true);
    try {
      const { pictureOf } = await import('./picture.ts');
      await save(await pictureOf(element), 'png');
    } finally {
      setIsDrawing(false);
    }
  }

  async function save(content: Blob, kind: string): Promise<void> {
    const { download, today } = await import('../files/download.ts');
    download(content, `${file}-${today()}.${kind}`);
  }

  const common = {
    size: 'compact-sm',
    variant: 'subtle',
    color: 'gray',
    disabled: data === undefined,
  } as const;
  return (
    <div data-picture="none">
      <div className={styles.buttons} data-print="none">
        <Button
          {...common}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`As a table: ${title}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          As a table
        </Button>
        <Button {...common} aria-label={`CSV: ${title}`} onClick={() => void saveCsv().catch(tellError)}>
          CSV
        </Button>
        <Button
          {...common}
          loading={isDrawing}
          aria-label={`PNG: ${title}`}
          onClick={() => void savePicture().catch(tellError)}
        >
          PNG
        </Button>
      </div>
      <div id={id} className={styles.table} hidden={!isOpen}>
        {data && <ChartTable label={`${title}, as a table`} data={data} />}
      </div>
    </div>
  );
}
