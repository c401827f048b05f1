import { BRAND } from '@hearth/shared/brand';
import { expect, test } from 'vitest';
import { invitationMail } from './invitation.ts';

const MAIL = {
  teamName: 'Lighthouse',
  senderName: 'Ada',
  senderEmail: 'ada@example.com',
  role: 'member',
  acceptUrl: 'https://app.example.com/api/team/accept-invitation?invitationId=1&a=b',
  rejectUrl: 'https://app.example.com/api/team/reject-invitation?invitationId=1',
  unsubscribeUrl: 'https://app.example.com/api/mail/unsubscribe?token=1',
  expiresAt: new Date('2026-05-08T23:30:00Z'),
};

test('names the sender, the team, the role and the last day, and has all links', () => {
  const { subject, text, html } = invitationMail(MAIL, 'en');
  expect(subject).toBe('Ada invites you to Lighthouse');
  expect(text).toContain(
    `Ada (ada@example․com) invites you to join the team "Lighthouse" at ${BRAND.name} as a member.`,
  );
  expect(text).toContain('The invitation is open until May 8, 2026.');
  expect(text).toContain(`Accept the invitation:\n${MAIL.acceptUrl}\n`);
  expect(text).toContain(`Decline the invitation:\n${MAIL.rejectUrl}\n`);
  expect(html).toContain('href="https://app.example.com/api/team/accept-invitation?invitationId=1&amp;a=b"');
  expect(html).toContain(`href="${MAIL.rejectUrl}"`);
  expect(text).toContain(`Stop invitation mail from this app:\n${MAIL.unsubscribeUrl}\n`);
  expect(html).toContain(`href="${MAIL.unsubscribeUrl}"`);
});

test.each([
  ['owner', 'as an owner'],
  ['admin', 'as an admin'],
])('the role %s reads "%s"', (role, words) => {
  const { text, html } = invitationMail({ ...MAIL, role }, 'en');
  expect(text).toContain(words);
  expect(html).toContain(words);
});

test('escapes names, which cannot add HTML or a header', () => {
  const evil = '<img src=x onerror="alert(1)">\r\nBcc: all@example.com\u2028&';
  const { subject, html } = invitationMail({ ...MAIL, teamName: evil, senderName: evil }, 'en');
  expect(subject).not.toMatch(/[\r\n\u2028]/);
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Bcc: all@example\u2024com &amp;');
});

test('removes web addresses and invisible characters from names, and cuts long ones', () => {
  const evil = `URGENT: sign in at https://evil.example/login or evil.example \u202etxt ${'x'.repeat(1600)}`;
  const { subject, text, html } = invitationMail({ ...MAIL, teamName: evil, senderName: evil }, 'en');
  const name = 'URGENT: sign in at or evil\u2024example txt '.padEnd(100, 'x');
  expect(subject).toBe(`${name} invites you to ${name}`);
  for (const body of [text, html]) {
    expect(body).not.toContain('evil.example');
    expect(body).not.toContain('\u202e');
    expect(body).not.toContain('x'.repeat(100));
  }
});

test('names a sender without a usable name by their address', () => {
  for (const senderName of [undefined, 'https://evil.example/login']) {
    const { subject, text } = invitationMail(
      { ...MAIL, senderName, senderEmail: 'www.evil.example/x@mine.example' },
      'en',
    );
    expect(subject).toBe('www\u2024evil\u2024example/x@mine\u2024example invites you to Lighthouse');
    expect(text).not.toContain('evil.example');
  }
});
