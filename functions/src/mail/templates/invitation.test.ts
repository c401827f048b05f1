import { expect, test } from 'vitest';
import { invitationMail } from './invitation.ts';

const MAIL = {
  teamName: 'Lighthouse',
  inviter: 'Ada',
  role: 'member',
  acceptUrl: 'https://app.example.com/api/team/accept-invitation?invitationId=1&a=b',
  rejectUrl: 'https://app.example.com/api/team/reject-invitation?invitationId=1',
  expiresAt: new Date('2026-05-08T23:30:00Z'),
};

test('the invitation says who invites to what and until when, with both links', () => {
  const { subject, text, html } = invitationMail(MAIL);
  expect(subject).toBe('Ada invites you to Lighthouse');
  expect(text).toContain('Ada invites you to join the team "Lighthouse" as a member.');
  expect(text).toContain(`until May 8, 2026:\n${MAIL.acceptUrl}\n`);
  expect(text).toContain(`Decline it:\n${MAIL.rejectUrl}\n`);
  expect(html).toContain('href="https://app.example.com/api/team/accept-invitation?invitationId=1&amp;a=b"');
  expect(html).toContain(`href="${MAIL.rejectUrl}"`);
});

test.each([
  ['owner', 'as an owner'],
  ['admin', 'as an admin'],
])('the role %s reads "%s"', (role, words) => {
  const { text, html } = invitationMail({ ...MAIL, role });
  expect(text).toContain(words);
  expect(html).toContain(words);
});

test('names cannot break out of the HTML, or add a header by a line break', () => {
  const evil = '<img src=x onerror="alert(1)">\r\nBcc: all@example.com\u2028&';
  const { subject, html } = invitationMail({ ...MAIL, teamName: evil, inviter: evil });
  expect(subject).not.toMatch(/[\r\n\u2028]/);
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Bcc: all@example.com &amp;');
});
