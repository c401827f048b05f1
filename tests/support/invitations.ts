import { beforeAll } from 'vitest';
import { serveApp, type AppOptions, type AppUnderTest } from './app.ts';
import { signUp, type Person } from './people.ts';
import { call } from './requests.ts';
import { useResources } from './resources.ts';
import { createTeam, inviteTo, setSeatLimit, type Invited } from './teams.ts';

/** An invitation of a user to a new team. */
export interface InvitedUser {
  teamId: string;
  recipient: Person;
  id: string;
  invitation: Invited;
}

/** The service under test, and the owner of its teams. */
export interface InvitationService {
  readonly app: AppUnderTest;
  readonly url: string;
  readonly owner: Person;
  /** Sends an API request of a person. */
  readonly ask: (method: string, person: Person, path: string, json?: unknown) => Promise<Response>;
  /** Creates a team of the owner. @param seatLimit the limit of the plan by default */
  readonly newTeam: (seatLimit?: number) => Promise<string>;
  /** Invites an address to a team of the owner. */
  readonly invite: (teamId: string, email: string, role?: string) => Promise<Invited>;
  /** Creates a team of the owner and invites a new user. */
  readonly inviteUser: (role?: string) => Promise<InvitedUser>;
}

/** Serves the app for the tests of a file and signs up an owner. */
export function useInvitations(options: AppOptions = {}): InvitationService {
  let app: AppUnderTest;
  let owner: Person;
  const resources = useResources();
  beforeAll(async () => {
    app = resources.use(await serveApp(options));
    owner = await signUp();
  });
  const invite = (teamId: string, email: string, role?: string) =>
    inviteTo(app.url, owner, teamId, email, role);
  const newTeam = async (seatLimit?: number) => {
    const teamId = await createTeam(app.url, owner);
    if (seatLimit !== undefined) await setSeatLimit(teamId, seatLimit);
    return teamId;
  };
  return {
    get app() {
      return app;
    },
    get url() {
      return app.url;
    },
    get owner() {
      return owner;
    },
    ask: (method, person, path, json) =>
      call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json }),
    newTeam,
    invite,
    inviteUser: async (role) => {
      const [recipient, teamId] = await Promise.all([signUp(), newTeam()]);
      const invitation = await invite(teamId, recipient.email, role);
      return { teamId, recipient, id: invitation.id, invitation };
    },
  };
}

/** An address that no user has. */
export const newAddress = () => `${crypto.randomUUID()}@example.com`;
