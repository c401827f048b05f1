/** The start page. The texts about plans come from billing. */
export const HOME = {
  title: 'The backend your team gathers around',
  lead: 'Accounts, subscription billing, teams and file upload on Firebase.',
  dashboard: 'Go to your dashboard',
  signIn: 'Sign in',
  plans: 'See the plans',
  features: {
    accounts: {
      title: 'Accounts',
      text: 'Safe sign-in, and a list of your devices. Sessions end immediately, on every device that you choose.',
    },
    teams: {
      title: 'Teams',
      text: 'Invite people by e-mail, give them roles, and hand a team over when it is time.',
    },
    billing: {
      title: 'Billing',
      text: 'Monthly or yearly plans, invoices, and changes with a preview of the price.',
    },
    files: {
      title: 'Files',
      text: 'Images and documents, checked by their content. Links that you can replace.',
    },
  },
};
