import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createDb, type Db } from '../functions/src/firestore/db.ts';
import { pageRequestSchema, readPage, type PageOf } from '../functions/src/firestore/page.ts';
import { useStack } from './support/app.ts';
import { adminFirestore } from './support/people.ts';

let db: Db;
beforeAll(() => {
  useStack();
  db = createDb({ loadClient: () => Promise.resolve(adminFirestore()), auditDays: 10 });
});

const AT = new Date('2026-01-02T03:04:05.678Z');
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000);
const newId = () => `T${randomUUID().replaceAll('-', '')}`;

type Read = (page: { limit: string; cursor?: string }) => Promise<PageOf<string>>;

/** The items of every page, read one after the other. */
async function pagesOf(read: Read, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: String(limit), ...(cursor !== undefined && { cursor }) });
    pages.push(page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

/** Stores members of a new team; a joining time that is no Date makes the document damaged. */
async function teamOf(joinedAt: Record<string, Date | string>): Promise<string> {
  const teamId = newId();
  const batch = adminFirestore().batch();
  for (const [uid, at] of Object.entries(joinedAt)) {
    const member = { uid, role: 'member', email: null, displayName: null, joinedAt: at };
    batch.set(adminFirestore().doc(`teams/${teamId}/members/${uid}`), member);
  }
  await batch.commit();
  return teamId;
}

const readMembers =
  (teamId: string, direction: 'asc' | 'desc'): Read =>
  (page) =>
    readPage(
      db.members(teamId),
      pageRequestSchema.parse(page),
      { by: 'joinedAt', direction },
      ({ id }) => id,
    );

test('pages have each document once, in either direction', async () => {
  // Two documents of one time are ordered by id.
  const teamId = await teamOf({ d: AT, b: later(1), a: later(1), c: later(2) });
  expect(await pagesOf(readMembers(teamId, 'asc'), 2)).toEqual([
    ['d', 'a'],
    ['b', 'c'],
  ]);
  expect(await pagesOf(readMembers(teamId, 'desc'), 3)).toEqual([['c', 'b', 'a'], ['d']]);
});

test('an empty list has one empty page', async () => {
  expect(await pagesOf(readMembers(newId(), 'asc'), 2)).toEqual([[]]);
});

test('the cursor is base64url of the time in milliseconds and the id', async () => {
  const teamId = await teamOf({ a: AT, b: later(1) });
  const { nextCursor } = await readMembers(teamId, 'asc')({ limit: '1' });
  expect(nextCursor).toBe(Buffer.from(`${AT.getTime()}:a`).toString('base64url'));
});

test('damaged documents are left out and do not make a page shorter', async () => {
  const teamId = await teamOf({ a: AT, b: later(1), c: later(2), d: later(3), x: 'yesterday' });
  for (const uid of ['b', 'c']) {
    await adminFirestore().doc(`teams/${teamId}/members/${uid}`).update({ role: 'chief' });
  }
  expect(await pagesOf(readMembers(teamId, 'asc'), 1)).toEqual([['a'], ['d']]);
  expect(await pagesOf(readMembers(teamId, 'desc'), 1)).toEqual([['d'], ['a']]);
});

test('a collection group pages by an id of its own', async () => {
  const uid = newId();
  const teams = (await Promise.all([0, 1, 2].map((seconds) => teamOf({ [uid]: later(seconds) })))) as [
    string,
    string,
    string,
  ];
  const read: Read = (page) =>
    readPage(
      db.group('members').where('uid', '==', uid),
      pageRequestSchema.parse(page),
      {
        by: 'joinedAt',
        direction: 'asc',
        idOf: ({ parentId }) => parentId,
        pathOf: (teamId) => `teams/${teamId}/members/${uid}`,
      },
      ({ parentId }) => parentId,
    );
  expect(await pagesOf(read, 2)).toEqual([teams.slice(0, 2), teams.slice(2)]);
});
