import { deleteTeamUntilGone, type TeamDeletion } from './delete-team.ts';
import type { Transport } from './transport.ts';
import type {
  Abortable,
  AdminInvitationList,
  AdminMail,
  AdminMailKind,
  AdminMailOfAddress,
  AdminSearch,
  AdminTeam,
  AdminUser,
  UserExport,
} from './types.ts';

/** For operators: users with the claim `admin`. Others get HearthError 404 `not_found`. */
export class AdminApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Finds users and teams by an address, a uid, the id or slug of a team, or an id of Stripe. */
  search(text: string, options: Abortable = {}): Promise<AdminSearch> {
    return this.#transport.request('get', '/api/admin/search', { ...options, query: { text } });
  }

  /** Invitations to an address, which may have no account, at most 20. */
  async invitationsTo(email: string, options: Abortable = {}): Promise<AdminInvitationList['invitations']> {
    const carried = { ...options, query: { email } };
    return (await this.#transport.request('get', '/api/admin/invitations', carried)).invitations;
  }

  /** The latest mail to an address, which may have no account, and whether its owner wants mail that others request. */
  mailTo(email: string, options: Abortable = {}): Promise<AdminMailOfAddress> {
    return this.#transport.request('get', '/api/admin/mail', { ...options, query: { email } });
  }

  user(uid: string, options: Abortable = {}): Promise<AdminUser> {
    return this.#transport.request('get', '/api/admin/users/{uid}', { ...options, path: { uid } });
  }

  /**
   * Disables or enables an account, or verifies its address.
   *
   * @param change.verifiedEmail the address that the person has proved to be theirs
   * @throws HearthError 409 `email_differs` if the account has another address
   */
  async changeUser(
    uid: string,
    change: { disabled?: boolean; verifiedEmail?: string },
    options: Abortable = {},
  ): Promise<void> {
    const carried = { ...options, path: { uid }, body: change };
    await this.#transport.request('patch', '/api/admin/users/{uid}', carried);
  }

  async endSessions(uid: string, options: Abortable = {}): Promise<void> {
    const carried = { ...options, path: { uid } };
    await this.#transport.request('post', '/api/admin/users/{uid}/end-sessions', carried);
  }

  /** The latest mail to a user with the state of its delivery, at most 20. */
  async mail(uid: string, options: Abortable = {}): Promise<AdminMail[]> {
    const carried = { ...options, path: { uid } };
    return (await this.#transport.request('get', '/api/admin/users/{uid}/mail', carried)).mail;
  }

  /** Mails a new link or the welcome to a user. A repetition within five minutes does nothing. */
  async sendMail(uid: string, kind: AdminMailKind, options: Abortable = {}): Promise<void> {
    const carried = { ...options, path: { uid }, body: { kind } };
    await this.#transport.request('post', '/api/admin/users/{uid}/mail', carried);
  }

  /** Delivers a stored mail once more, to the address that it has. */
  async resendMail(id: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('post', '/api/admin/mail/{id}/resend', { ...options, path: { id } });
  }

  /** Everything that is stored about a user. Recorded in the audit log. */
  exportUser(uid: string, options: Abortable = {}): Promise<UserExport> {
    return this.#transport.request('get', '/api/admin/users/{uid}/export', { ...options, path: { uid } });
  }

  /** Deletes a user with all data. */
  async deleteUser(uid: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', '/api/admin/users/{uid}', { ...options, path: { uid } });
  }

  /** A custom token for the operator's own account, to sign in with by `signInWithCustomToken`. */
  impersonate(
    uid: string,
    reason: string,
    options: Abortable = {},
  ): Promise<{ token: string; endsAt: string }> {
    const carried = { ...options, path: { uid }, body: { reason, minutes: 30 } };
    return this.#transport.request('post', '/api/admin/users/{uid}/impersonation', carried);
  }

  team(teamId: string, options: Abortable = {}): Promise<AdminTeam> {
    return this.#transport.request('get', '/api/admin/teams/{teamId}', { ...options, path: { teamId } });
  }

  /** Makes a member the responsible owner. */
  async changeOwner(teamId: string, uid: string, options: Abortable = {}): Promise<void> {
    const carried = { ...options, path: { teamId }, body: { uid } };
    await this.#transport.request('post', '/api/admin/teams/{teamId}/owner', carried);
  }

  /**
   * Deletes a team. A large team needs several requests, so this repeats the request until the team is gone.
   *
   * @param options.endSubscription whether a running subscription may be ended, immediately and without a refund;
   *   without it the backend refuses such a team with `subscription_running`
   */
  deleteTeam(teamId: string, options: TeamDeletion = {}): Promise<void> {
    return deleteTeamUntilGone(this.#transport, '/api/admin/teams/{teamId}', teamId, options);
  }

  /** Gives a user or a team a plan until a date, without payment. */
  async givePlan(
    customerId: string,
    given: { plan: string; until: string },
    options: Abortable = {},
  ): Promise<void> {
    const carried = { ...options, path: { customerId }, body: given };
    await this.#transport.request('post', '/api/admin/customers/{customerId}/plan', carried);
  }

  async takePlan(customerId: string, options: Abortable = {}): Promise<void> {
    const carried = { ...options, path: { customerId } };
    await this.#transport.request('delete', '/api/admin/customers/{customerId}/plan', carried);
  }
}
