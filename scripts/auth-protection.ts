/**
 * Turns email enumeration protection on in the Auth emulator, which new projects of Firebase have. The emulator starts
 * without it.
 *
 * https://cloud.google.com/identity-platform/docs/admin/email-enumeration-protection
 *
 * @param authUrl where the emulator listens
 * @throws Error if the emulator refuses
 */
export async function protectAddresses(authUrl: string, projectId: string): Promise<void> {
  const response = await fetch(`${authUrl}/emulator/v1/projects/${projectId}/config`, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } }),
  });
  if (!response.ok) throw new Error(`The Auth emulator answers ${response.status}: ${await response.text()}`);
}
