import { expect } from 'vitest';
import { adminAuth, adminFirestore, signIn, signUp, type Person } from './people.ts';
import { call } from './requests.ts';

/** A user with the claim `admin`. */
export async function signUpOperator(): Promise<Person> {
  const person = await signUp();
  await adminAuth().setCustomUserClaims(person.uid, { admin: true });
  return signIn(person);
}

export interface OperatorEntry {
  actorId: string;
  action: string;
  target: string;
  teamId: string;
  details: Record<string, string | null>;
}

/** The entries of the audit log of actions by an operator, in the order of their times. */
export async function entriesBy(operatorId: string): Promise<OperatorEntry[]> {
  const { docs } = await adminFirestore().collection('auditLog').where('actorId', '==', operatorId).get();
  return docs
    .sort((a, b) => a.createTime.valueOf().localeCompare(b.createTime.valueOf()))
    .map((entry) => entry.data() as OperatorEntry);
}

/** Sends a request to the API of operators. */
export type AskAsOperator = (
  operator: Person,
  method: string,
  path: string,
  json?: object,
) => Promise<Response>;

/** Sends requests to the API of operators of an app. */
export function operatorApi(app: () => { url: string }): AskAsOperator {
  return ({ bearer }, method, path, json) =>
    call(method, `${app().url}/api/admin${path}`, { headers: bearer, json });
}

/** The body of an answer, which must be 200. */
export async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}
