import { inject } from 'vitest';

interface Mail {
  email: string;
  oobCode: string;
  requestType: 'VERIFY_EMAIL' | 'PASSWORD_RESET';
}

/** The code in the latest mail of a kind to an address: the Auth emulator keeps its mails instead of sending them. */
export async function codeMailedTo(email: string, kind: Mail['requestType']): Promise<string> {
  const { urls, projectId } = inject('stack');
  const response = await fetch(`${urls.auth}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as { oobCodes: Mail[] };
  const mail = oobCodes.findLast((sent) => sent.requestType === kind && sent.email === email.toLowerCase());
  if (mail === undefined) throw new Error(`No mail ${kind} to ${email}`);
  return mail.oobCode;
}
