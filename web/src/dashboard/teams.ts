import type { SessionView } from '../../../functions/src/account/session.view.ts';
import { ROLES, can, canHandle, type Role } from '../../../functions/src/teams/roles.ts';
import { createTeam, invite } from '../api.ts';
import { h } from '../dom.ts';
import { choice, field, form, textOf } from '../form.ts';
import { card } from '../layout.ts';
import { copyField } from './copy-field.ts';

type Team = SessionView['teams'][number];

export function teamsCard(teams: Team[]): HTMLElement {
  const list = h('div', { class: 'stack' }, ...teams.map(teamSection));
  const empty = h('p', { class: 'empty' }, 'You are in no team yet. Create one, or open an invitation.');
  empty.hidden = teams.length > 0;
  const create = form({
    class: 'inline-form',
    fields: [field('New team', 'name', { required: true, maxlength: 100, autocomplete: 'organization' })],
    submit: 'Create team',
    onSubmit: async (data) => {
      const team = await createTeam(textOf(data, 'name').trim());
      list.append(teamSection(team));
      empty.hidden = true;
      create.reset();
      return `${team.name} is ready. Invite somebody.`;
    },
  });
  return card('Teams', empty, list, h('div', { class: 'divided' }, create));
}

function teamSection(team: Team): HTMLElement {
  const head = h(
    'div',
    { class: 'card-head' },
    h('h3', {}, team.name),
    h('span', { class: 'badge' }, `You are ${ROLE_NAMES[team.role]}`),
  );
  const invitations = can(team.role, 'invitation:create') ? [inviteForm(team)] : [];
  return h('section', { class: 'stack divided' }, head, ...invitations);
}

const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'owner', admin: 'admin', member: 'a member' };

function inviteForm(team: Team): HTMLElement {
  const links = h('div', { class: 'stack' });
  const roles = ROLES.filter((role) => canHandle(team.role, role)).reverse();
  const element = form({
    class: 'inline-form three',
    fields: [
      field(`Invite to ${team.name}`, 'email', {
        type: 'email',
        required: true,
        maxlength: 254,
        autocomplete: 'off',
        placeholder: 'name@example.com',
      }),
      choice(
        'Role',
        'role',
        roles.map((role) => [role, role]),
      ),
    ],
    submit: 'Invite',
    onSubmit: async (data) => {
      const role = roles.find((candidate) => candidate === data.get('role')) ?? 'member';
      const invitation = await invite(team.id, textOf(data, 'email'), role);
      const label = `Invitation for ${invitation.email}`;
      links.prepend(copyField(label, invitation.acceptUrl, h('p', { class: 'label wrap' }, label)));
      element.reset();
      return `Invited until ${formatDate(invitation.expiresAt)}. Send ${invitation.email} the link below.`;
    },
  });
  return h('div', { class: 'stack' }, element, links);
}

function formatDate(iso: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(iso));
}
