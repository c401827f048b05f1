import { pageQuery } from './pages.ts';
import type { Transport } from './transport.ts';
import type {
  Abortable,
  Invitation,
  InvitationLink,
  InvitationResult,
  InvitationStatus,
  ListedInvitation,
  LinkedInvitation,
  ReceivedInvitation,
  Page,
  PageOptions,
  Role,
} from './types.ts';

const PATH = '/api/auth/teams/{teamId}/invitations';

/** Sending invitations and replying to them. */
export class InvitationsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Invites an address. Returns the open invitation with this role if the address has one already. */
  async send(teamId: string, email: string, role: Role, options: Abortable = {}): Promise<Invitation> {
    const body = { email, role };
    const answer = await this.#transport.request('post', PATH, { ...options, path: { teamId }, body });
    if ('results' in answer) throw new TypeError('One invitation was answered with several results.');
    return answer;
  }

  /**
   * Makes an invitation for somebody without an e-mail address. One person can join with `acceptUrl`. The links are in
   * this answer only.
   */
  createLink(teamId: string, role: Exclude<Role, 'owner'>, options: Abortable = {}): Promise<InvitationLink> {
    const body = { role };
    return this.#transport.request('post', `${PATH}/link`, { ...options, path: { teamId }, body });
  }

  /** Invites up to 50 addresses. Returns the result for each. */
  async sendAll(
    teamId: string,
    invitations: { email: string; role: Role }[],
    options: Abortable = {},
  ): Promise<InvitationResult[]> {
    const body = { invitations };
    const answer = await this.#transport.request('post', PATH, { ...options, path: { teamId }, body });
    if (!('results' in answer)) throw new TypeError('Several invitations were answered with one.');
    return answer.results;
  }

  /** A team's invitations, latest expiry first. */
  async list(
    teamId: string,
    { status, ...options }: PageOptions & { status?: InvitationStatus } = {},
  ): Promise<Page<ListedInvitation>> {
    const { invitations, nextCursor } = await this.#transport.request('get', PATH, {
      path: { teamId },
      query: { status, ...pageQuery(options) },
      signal: options.signal,
    });
    return { items: invitations, nextCursor };
  }

  resend(teamId: string, id: string, options: Abortable = {}): Promise<Invitation> {
    return this.#transport.request('post', `${PATH}/{id}/resend`, { ...options, path: { teamId, id } });
  }

  async cancel(teamId: string, id: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', `${PATH}/{id}`, { ...options, path: { teamId, id } });
  }

  /** The invitations that the caller can accept. Needs a verified e-mail address. */
  async mine(options: PageOptions = {}): Promise<Page<ReceivedInvitation>> {
    const { invitations, nextCursor } = await this.#transport.request('get', '/api/auth/invitations', {
      query: pageQuery(options),
      signal: options.signal,
    });
    return { items: invitations, nextCursor };
  }

  /**
   * Describes an invitation to a visitor who opened its mail and may have no account yet.
   *
   * @param link the parameter `invitationId` of the mailed link, which carries a secret
   * @throws HearthError 404 `invitation_not_found`; 409, 410 if it is no longer open
   */
  describe(link: string, options: Abortable = {}): Promise<LinkedInvitation> {
    return this.#transport.request('get', '/api/team/invitation', {
      ...options,
      query: { invitationId: link },
    });
  }

  /**
   * Joins the team and returns its id.
   *
   * @param link the id of the invitation. For a shared invitation the parameter `invitationId` of its link
   * @throws HearthError 403 `not_recipient`, `email_unverified`, `no_seat`; 404, 409, 410 if it is no longer open
   */
  async accept(link: string, options: Abortable = {}): Promise<string> {
    const path = '/api/auth/invitations/{link}/accept';
    return (await this.#transport.request('post', path, { ...options, path: { link } })).teamId;
  }

  async reject(link: string, options: Abortable = {}): Promise<void> {
    const path = '/api/auth/invitations/{link}/reject';
    await this.#transport.request('post', path, { ...options, path: { link } });
  }

  /**
   * The URL of a page to share. Open it in the browser: it leads the recipient to the dashboard, where they accept.
   * Only the link in the mail, which has a secret, joins immediately.
   */
  acceptUrl(invitationId: string): string {
    return this.#transport.url('/api/team/accept-invitation', { invitationId });
  }

  /**
   * The URL of a page to share. Open it in the browser: it leads the recipient to the dashboard, where they decline.
   */
  rejectUrl(invitationId: string): string {
    return this.#transport.url('/api/team/reject-invitation', { invitationId });
  }
}
