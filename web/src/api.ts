import type { SessionView } from '../../functions/src/account/session.view.ts';
import type { InvitationView } from '../../functions/src/invitations/invitation.view.ts';
import type { Role } from '../../functions/src/teams/roles.ts';
import type { TeamSummary } from '../../functions/src/teams/team.view.ts';
import type { UploadView } from '../../functions/src/uploads/upload.view.ts';
import { UserFacingError } from './errors.ts';

/** What the backend refused, in its own words, which are meant for people. */
export class ApiError extends UserFacingError {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

/** Who is signed in by the session cookie; undefined when nobody is. */
export async function fetchSession(): Promise<SessionView | undefined> {
  try {
    return (await send('GET', '/api/auth/session')) as SessionView;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

/** Exchanges the ID token of a fresh sign-in for the session cookie. */
export async function createSession(idToken: string): Promise<void> {
  await send('POST', '/api/auth/session', { idToken });
}

/** Drops the session cookie; `everywhere` ends the sessions on all other devices as well. */
export async function deleteSession({ everywhere }: { everywhere: boolean }): Promise<void> {
  await send('DELETE', `/api/auth/session${everywhere ? '?everywhere=true' : ''}`);
}

export async function createTeam(name: string): Promise<TeamSummary> {
  return (await send('POST', '/api/auth/teams', { name })) as TeamSummary;
}

export async function invite(teamId: string, email: string, role: Role): Promise<InvitationView> {
  const path = `/api/auth/teams/${encodeURIComponent(teamId)}/invitations`;
  return (await send('POST', path, { email, role })) as InvitationView;
}

export async function uploadFile(file: File): Promise<UploadView> {
  const form = new FormData();
  form.set('file', file);
  return (await send('POST', '/api/upload', form)) as UploadView;
}

async function send(method: string, path: string, body?: FormData | object): Promise<unknown> {
  const response = await reach(path, { method, ...payload(body) });
  const answer = await readJson(response);
  if (response.ok) return answer;
  throw new ApiError(
    response.status,
    textOf(answer, 'code') ?? 'unknown',
    textOf(answer, 'error') ?? UNEXPECTED,
  );
}

const UNEXPECTED = 'Something went wrong on our side. Please try again later.';

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

function payload(body: FormData | object | undefined): Init {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/** `fetch` throws only where no answer came: offline, or the server is down. */
async function reach(path: string, init: Init): Promise<Response> {
  try {
    return await fetch(path, { ...init, headers: { Accept: 'application/json', ...init.headers } });
  } catch {
    throw new ApiError(
      0,
      'unreachable',
      'The server cannot be reached. Check your connection and try again.',
    );
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (!(response.headers.get('Content-Type') ?? '').includes('application/json')) return undefined;
  return (await response.json()) as unknown;
}

function textOf(answer: unknown, key: 'code' | 'error'): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const value = (answer as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : undefined;
}
