import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createList, type List } from '../../../../cli/tui/list/list.ts';
import type { ListSource, Page } from '../../../../cli/tui/list/source.ts';

interface Row {
  readonly id: number;
}

interface Asked {
  readonly cursor: string | null;
  readonly answer: (rows: readonly Row[], nextCursor?: string | null) => Promise<void>;
  readonly refuse: (sentence: string) => Promise<void>;
}

const rowsFrom = (from: number, to: number): Row[] =>
  Array.from({ length: from - to + 1 }, (_, at) => ({ id: from - at }));

/** A list whose loads are answered by the test, in whatever order it likes. */
function answeredByHand(more: Partial<ListSource<Row>> = {}): { list: List<Row>; asked: Asked[] } {
  const asked: Asked[] = [];
  const list = createList<Row>({
    keyOf: ({ id }) => id,
    timeOf: ({ id }) => id,
    explain: (error) => (error as Error).message,
    now: () => 0,
    load: (cursor) => {
      const { promise, resolve, reject } = Promise.withResolvers<Page<Row>>();
      // What follows from an answer has happened when its promise is kept.
      const answer: Asked['answer'] = (rows, nextCursor = null) => {
        resolve({ rows, nextCursor });
        return setImmediate();
      };
      const refuse: Asked['refuse'] = (sentence) => {
        reject(new Error(sentence));
        return setImmediate();
      };
      asked.push({ cursor, answer, refuse });
      return promise;
    },
    ...more,
  });
  return { list, asked };
}

/** Such a list with the rows of another filter, while the second load, of what followed those before, has no answer. */
async function filteredAnew(): Promise<{ list: List<Row>; asked: Asked[] }> {
  const { list, asked } = answeredByHand();
  void list.reload();
  await asked[0]?.answer(rowsFrom(500, 301), '301');
  list.move(1);
  void list.reload();
  await asked[2]?.answer(rowsFrom(50, 41), '41');
  return { list, asked };
}

const state = (list: List<Row>) => list.store.get();

describe('a page that comes late', () => {
  test('leaves no hole where the list has others in place of its rows by now', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(500, 301), '301');
    list.move(1);
    void list.refresh();
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, '301', null]);
    // More have come than are read at a look.
    for (let page = 0; page < 10; page += 1) {
      const first = 20_000 - page * 200;
      await asked[2 + page]?.answer(rowsFrom(first, first - 199), String(first - 199));
    }
    expect(state(list).nextCursor).toBe('18001');
    await asked[1]?.answer(rowsFrom(300, 101), '101');
    expect(state(list).nextCursor).toBe('18001');
    expect(state(list).rows).toEqual(rowsFrom(20_000, 18_001));
  });

  test('says nothing of its failure to the rows of another filter', async () => {
    const { list, asked } = await filteredAnew();
    await asked[1]?.refuse('The old filter was too slow.');
    expect(state(list)).toMatchObject({ phase: 'ready', error: '' });
  });

  test('does not end the loading of everything in the rows of another filter', async () => {
    const { list, asked } = await filteredAnew();
    const filled = list.fill();
    await asked[1]?.refuse('The old filter was too slow.');
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, '301', null, '41']);
    await asked[3]?.answer(rowsFrom(40, 31), '31');
    await asked[4]?.answer(rowsFrom(30, 21));
    await filled;
    expect(state(list).rows).toEqual(rowsFrom(50, 21));
    expect(state(list)).toMatchObject({ error: '', filling: false });
  });

  test('lets no page of another filter be loaded twice', async () => {
    const { list, asked } = await filteredAnew();
    list.move(1);
    await asked[1]?.answer(rowsFrom(300, 101), '101');
    list.move(1);
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, '301', null, '41']);
  });

  test('is not asked for while a list begins anew: it would be of another filter', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(500, 301), '301');
    void list.reload();
    list.move(10);
    expect(asked).toHaveLength(2);
    const filled = list.fill();
    expect(asked).toHaveLength(2);
    await asked[1]?.answer(rowsFrom(50, 41), '41');
    await asked[2]?.answer(rowsFrom(40, 31));
    await filled;
    expect(state(list).rows).toEqual(rowsFrom(50, 31));
  });
});

describe('a look that comes late', () => {
  test('shows no failure above rows that are newer', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(1, 1));
    const looks = [list.refresh(), list.refresh()];
    await asked[2]?.answer(rowsFrom(2, 1));
    await asked[1]?.refuse('The service was away.');
    await Promise.all(looks);
    expect(state(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
  });

  test('waits for the rows of the load that came between, also where it fails', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(1, 1));
    let isDone = false;
    void list.refresh().then(() => {
      isDone = true;
    });
    void list.reload();
    await asked[1]?.refuse('The service was away.');
    expect(isDone).toBe(false);
    await asked[2]?.answer(rowsFrom(2, 1));
    expect(isDone).toBe(true);
    expect(state(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
  });

  test('has a sorted list loaded to its end again where it began anew', async () => {
    const arrange = (rows: readonly Row[]) => rows.toSorted((one, other) => one.id - other.id);
    const { list, asked } = answeredByHand({ arrange });
    void list.reload();
    await asked[0]?.answer(rowsFrom(2, 1));
    void list.refresh();
    for (let page = 0; page < 10; page += 1) {
      const first = 2_200 - page * 200;
      await asked[1 + page]?.answer(rowsFrom(first, first - 199), String(first - 199));
    }
    await asked[11]?.answer(rowsFrom(200, 1));
    expect(state(list).shown).toEqual(rowsFrom(2_200, 1).reverse());
  });
});

describe('the last row', () => {
  test('is not gone to where somebody has asked for other rows meanwhile', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(500, 301), '301');
    list.toLast();
    void list.reload();
    await asked[2]?.answer(rowsFrom(50, 1));
    await asked[1]?.answer(rowsFrom(300, 101), '101');
    expect(list.current()).toEqual({ id: 50 });
  });

  test('is that of the whole list for whoever asks for it while it is loaded', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(500, 301), '301');
    list.toLast();
    list.toLast();
    expect(state(list).index).toBe(0);
    await asked[1]?.answer(rowsFrom(300, 101));
    expect(list.current()).toEqual({ id: 101 });
  });
});

describe('what comes with a page', () => {
  test('is told where its rows are taken, and only there', async () => {
    const taken: string[] = [];
    const { list, asked } = answeredByHand({
      taken: ({ rows, nextCursor }) => taken.push(`${rows[0]?.id} to ${nextCursor}`),
    });
    void list.reload();
    void list.reload();
    await asked[1]?.answer(rowsFrom(500, 301), '301');
    await asked[0]?.answer(rowsFrom(9, 9));
    expect(taken).toEqual(['500 to 301']);
    list.move(1);
    await asked[2]?.answer(rowsFrom(300, 101));
    const looks = [list.refresh(), list.refresh()];
    await asked[4]?.answer(rowsFrom(501, 302), '302');
    await asked[3]?.answer(rowsFrom(500, 301), '301');
    await Promise.all(looks);
    expect(taken).toEqual(['500 to 301', '300 to null', '501 to 302']);
  });
});

describe('a list that is filtered as somebody types', () => {
  test('loads once, with what was typed last, and looks at nothing before', async () => {
    const { list, asked } = answeredByHand();
    void list.reload();
    await asked[0]?.answer(rowsFrom(500, 301), '301');
    const look = list.refresh();
    const typed = [list.reload(1), list.reload(1), list.reload(1)];
    // What is under way is of the filter before.
    await asked[1]?.answer(rowsFrom(501, 302), '302');
    expect(state(list)).toMatchObject({ phase: 'loading', rows: rowsFrom(500, 301) });
    void list.refresh();
    await expect.poll(() => asked.length).toBe(3);
    await asked[2]?.answer(rowsFrom(50, 41));
    await Promise.all([look, ...typed]);
    expect(state(list).rows).toEqual(rowsFrom(50, 41));
    expect(asked).toHaveLength(4);
  });

  test('does not load what it waits to load where another one is wanted at once', async () => {
    const { list, asked } = answeredByHand();
    const typed = list.reload(1);
    const wanted = list.reload();
    await asked[0]?.answer(rowsFrom(3, 1));
    await Promise.all([typed, wanted]);
    expect(asked).toHaveLength(1);
  });
});

describe('a list that is asked faster than it answers', () => {
  test('takes the first answer, and looks once more for all who asked meanwhile', async () => {
    const { list, asked } = answeredByHand();
    const looks = [list.refresh(), list.refresh(), list.refresh()];
    expect(asked).toHaveLength(1);
    await asked[0]?.answer(rowsFrom(3, 1));
    expect(state(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(3, 1) });
    expect(asked).toHaveLength(2);
    await asked[1]?.answer(rowsFrom(4, 1));
    await Promise.all(looks);
    expect(state(list).rows).toEqual(rowsFrom(4, 1));
    void list.reload();
    const later = list.refresh();
    await asked[2]?.answer(rowsFrom(5, 1));
    await asked[3]?.answer(rowsFrom(6, 1));
    await later;
    expect(state(list).rows).toEqual(rowsFrom(6, 1));
  });

  test('is loaded once more for them where it failed', async () => {
    const { list, asked } = answeredByHand();
    const looks = [list.refresh(), list.refresh()];
    await asked[0]?.refuse('The service is away.');
    expect(asked).toHaveLength(2);
    await asked[1]?.answer(rowsFrom(3, 1));
    await Promise.all(looks);
    expect(state(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(3, 1) });
  });
});
