import { adminFirestore } from './people.ts';
import { call } from './requests.ts';

interface Sent {
  message: { subject: string; text: string; html: string };
  deleteAt: { toMillis: () => number };
}

/** The mail to an address in the outbox. */
export async function mailsTo(email: string): Promise<Sent[]> {
  const { docs } = await adminFirestore().collection('mail').where('to', '==', [email]).get();
  return docs.map((document) => document.data() as Sent);
}

/** The link in the only mail to an address. */
export async function accountLinkTo(email: string): Promise<URL> {
  const [mail] = await mailsTo(email);
  return new URL(/^http\S+$/m.exec(mail?.message.text ?? '')?.[0] ?? '');
}

/** Opens a link as the app's page does, with Google's API. */
export async function openLink(link: URL, method: string, more = {}): Promise<Response> {
  const host = process.env['FIREBASE_AUTH_EMULATOR_HOST'] ?? '';
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=test`;
  const body = { oobCode: link.searchParams.get('oobCode'), ...more };
  return call('POST', url, { json: body });
}
