/** Documents of users as Firestore gives them. @param AT a Timestamp */
export const userSamples = (AT: unknown) => ({
  sessions: {
    document: {
      signInMethod: 'password',
      providerUids: ['ada@example.com'],
      userAgent: null,
      signedInAt: AT,
      expiresAt: AT,
    },
    optional: ['providerUids'],
  },
  users: {
    document: {
      email: null,
      displayName: 'Ada',
      photoURL: null,
      createdAt: AT,
      activeTeamId: null,
      signInsEndedAt: AT,
    },
    optional: ['email', 'displayName', 'photoURL', 'activeTeamId', 'signInsEndedAt'],
  },
});
