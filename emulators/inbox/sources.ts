import { z } from 'zod';
import { askEmulator } from './emulator.ts';
import { messageOfCode, messageOfDocument, oobCodesSchema, type InboxMessage } from './messages.ts';

/** Where the mail of a stack is. */
export interface Sources {
  projectId: string;
  /** Host and port of the Firestore emulator. */
  firestore: string;
  /** Host and port of the Auth emulator. */
  auth: string;
  /**
   * The page for the links of Firebase Auth's mails, as the project's templates name it in production
   * (https://firebase.google.com/docs/auth/custom-email-handler). By default the page of the Auth emulator, which
   * answers in JSON.
   */
  actionUrl?: string | undefined;
}

const PAGE_SIZE = 300;

/** Maximum number of mails of Firebase Auth that are kept. */
const MOST_REMEMBERED = 500;

/**
 * Reads all mail of a stack, newest first. A code of Firebase Auth that a backend has mailed itself is shown once, as
 * that mail.
 */
export interface Mailbox {
  /** @throws Error while an emulator does not answer */
  read: () => Promise<InboxMessage[]>;
  /**
   * Reads the mail of Firebase Auth. Its emulator has no timestamps and drops used codes, so a mailbox that polls often
   * keeps both.
   *
   * @throws Error while the Auth emulator does not answer
   */
  look: () => Promise<void>;
}

export function openMailbox(sources: Sources, now: () => Date = () => new Date()): Mailbox {
  const remembered = new Map<string, InboxMessage>();
  const look = async () => {
    for (const code of await readCodes(sources)) {
      if (!remembered.has(code.oobCode))
        remembered.set(code.oobCode, messageOfCode(code, now().toISOString(), sources.actionUrl));
    }
    for (const oldest of [...remembered.keys()].slice(0, -MOST_REMEMBERED)) remembered.delete(oldest);
  };
  return {
    look,
    read: async () => {
      const [documents] = await Promise.all([readDocuments(sources), look()]);
      // If two messages have the same time, the one seen later comes first.
      const unsent = [...remembered].filter(([code]) => !documents.some(({ text }) => text.includes(code)));
      const all = [...documents, ...unsent.map(([, message]) => message)].reverse();
      return all.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    },
  };
}

async function readCodes({ auth, projectId }: Sources) {
  const answer = await askEmulator(`http://${auth}/emulator/v1/projects/${projectId}/oobCodes`);
  return oobCodesSchema.parse(answer).oobCodes;
}

const listSchema = z.object({
  documents: z
    .array(
      z.object({
        name: z.string(),
        createTime: z.string(),
        fields: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});

async function readDocuments({ firestore, projectId }: Sources): Promise<InboxMessage[]> {
  const url = new URL(`http://${firestore}/v1/projects/${projectId}/databases/(default)/documents/mail`);
  url.searchParams.set('pageSize', String(PAGE_SIZE));
  const messages: InboxMessage[] = [];
  for (;;) {
    const { documents, nextPageToken } = listSchema.parse(await askEmulator(url));
    for (const { name, createTime, fields } of documents) {
      messages.push(
        messageOfDocument(name.slice(name.lastIndexOf('/') + 1), createTime, decodeFields(fields)),
      );
    }
    if (nextPageToken === undefined || nextPageToken === '') return messages;
    url.searchParams.set('pageToken', nextPageToken);
  }
}

const valueSchema = z.object({
  stringValue: z.string().optional(),
  arrayValue: z.object({ values: z.array(z.unknown()).default([]) }).optional(),
  mapValue: z.object({ fields: z.record(z.string(), z.unknown()).default({}) }).optional(),
});

function decodeFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decode(value)]));
}

/** Texts, lists and maps of Firestore's JSON; nothing else is shown. */
function decode(value: unknown): unknown {
  const { stringValue, arrayValue, mapValue } = valueSchema.parse(value);
  if (arrayValue !== undefined) return arrayValue.values.map(decode);
  if (mapValue !== undefined) return decodeFields(mapValue.fields);
  return stringValue ?? null;
}
