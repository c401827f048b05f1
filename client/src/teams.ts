import { deleteTeamUntilGone, type TeamDeletion } from './delete-team.ts';
import { pageQuery } from './pages.ts';
import type { Transport } from './transport.ts';
import type {
  Abortable,
  AuditEntry,
  Member,
  Page,
  PageOptions,
  Role,
  Team,
  TeamSummary,
  TransferOffer,
} from './types.ts';

/** Teams and their members. */
export class TeamsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(team: { name: string; slug?: string }, options: Abortable = {}): Promise<TeamSummary> {
    return this.#transport.request('post', '/api/auth/teams', { ...options, body: team });
  }

  /** The caller's teams in the order in which they joined them. */
  async list(options: PageOptions = {}): Promise<Page<TeamSummary>> {
    const { teams, nextCursor } = await this.#transport.request('get', '/api/auth/teams', {
      query: pageQuery(options),
      signal: options.signal,
    });
    return { items: teams, nextCursor };
  }

  get(teamId: string, options: Abortable = {}): Promise<Team> {
    return this.#transport.request('get', '/api/auth/teams/{teamId}', { ...options, path: { teamId } });
  }

  /** Changes a team. A missing field stays as it is; null removes the billing address. */
  change(
    teamId: string,
    change: { name?: string; slug?: string; billingEmail?: string | null },
    options: Abortable = {},
  ): Promise<Team> {
    const path = '/api/auth/teams/{teamId}';
    return this.#transport.request('patch', path, { ...options, path: { teamId }, body: change });
  }

  /**
   * Deletes a team. The backend removes a part of a large team with each request, so this repeats the request until the
   * team is gone.
   *
   * @param options.endSubscription whether a running subscription may be ended, immediately and without a refund;
   *   without it the backend refuses such a team with `subscription_running`
   */
  delete(teamId: string, options: TeamDeletion = {}): Promise<void> {
    return deleteTeamUntilGone(this.#transport, '/api/auth/teams/{teamId}', teamId, options);
  }

  /** Members in the order in which they joined. */
  async members(teamId: string, options: PageOptions = {}): Promise<Page<Member>> {
    const { members, nextCursor } = await this.#transport.request('get', '/api/auth/teams/{teamId}/members', {
      path: { teamId },
      query: pageQuery(options),
      signal: options.signal,
    });
    return { items: members, nextCursor };
  }

  changeRole(teamId: string, uid: string, role: Role, options: Abortable = {}): Promise<Member> {
    const path = '/api/auth/teams/{teamId}/members/{uid}';
    return this.#transport.request('patch', path, { ...options, path: { teamId, uid }, body: { role } });
  }

  /** Removes a member. With the caller's own uid, the caller leaves. */
  async removeMember(teamId: string, uid: string, options: Abortable = {}): Promise<void> {
    const path = '/api/auth/teams/{teamId}/members/{uid}';
    await this.#transport.request('delete', path, { ...options, path: { teamId, uid } });
  }

  /**
   * Offers ownership of the team to a member. The caller becomes an admin when they accept. With `coOwner` the caller
   * stays the responsible owner. An offer is open for seven days.
   */
  offerTransfer(
    teamId: string,
    offer: { uid: string; coOwner?: boolean },
    options: Abortable = {},
  ): Promise<TransferOffer> {
    const path = '/api/auth/teams/{teamId}/transfer';
    return this.#transport.request('post', path, { ...options, path: { teamId }, body: offer });
  }

  /** Withdraws the offer of a team. */
  async withdrawTransfer(teamId: string, options: Abortable = {}): Promise<void> {
    await this.#transport.request('delete', '/api/auth/teams/{teamId}/transfer', {
      ...options,
      path: { teamId },
    });
  }

  /**
   * Accepts the offer of a team to the caller.
   *
   * @throws HearthError 403 `email_unverified`, `team_limit`; 404 or 410 when there is no open offer
   */
  async acceptTransfer(teamId: string, options: Abortable = {}): Promise<void> {
    const path = '/api/auth/teams/{teamId}/transfer/accept';
    await this.#transport.request('post', path, { ...options, path: { teamId } });
  }

  /** Declines the offer of a team to the caller. */
  async declineTransfer(teamId: string, options: Abortable = {}): Promise<void> {
    const path = '/api/auth/teams/{teamId}/transfer/decline';
    await this.#transport.request('post', path, { ...options, path: { teamId } });
  }

  /** The audit log of a team, latest entry first. */
  async audit(teamId: string, options: PageOptions = {}): Promise<Page<AuditEntry>> {
    const { entries, nextCursor } = await this.#transport.request('get', '/api/auth/teams/{teamId}/audit', {
      path: { teamId },
      query: pageQuery(options),
      signal: options.signal,
    });
    return { items: entries, nextCursor };
  }
}
