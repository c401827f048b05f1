/**
 * Sends a request to an emulator as administrator (token "owner"): GET, or POST with a body.
 *
 * @returns undefined if the resource does not exist
 * @throws Error when it refuses or does not answer
 */
export async function askEmulator(url: string | URL, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url.toString()} answered ${response.status}`);
  return response.json();
}
