import { adminAuth, adminFirestore, signIn, signUp, type Person } from './people.ts';

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
