/** Documents of users as Firestore gives them. @param AT a Timestamp */
export const userSamples = (AT: unknown) => ({
  devices: {
    document: {
      uid: 'u',
      token: 'token',
      sessionId: null,
      signedInAt: AT,
      signInMethod: 'google.com',
      providerUids: ['1001'],
      seenAt: AT,
      deleteAt: AT,
    },
    optional: ['signedInAt', 'signInMethod', 'providerUids'],
  },
  pushes: {
    document: {
      uid: 'u',
      email: null,
      sentBy: null,
      title: 'Hearth',
      body: 'Hello',
      data: { type: 'invitation' },
      sentTo: ['d'],
      createdAt: AT,
      deleteAt: AT,
    },
  },
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
      emailVerified: false,
      displayName: 'Ada',
      photoURL: null,
      createdAt: AT,
      activeTeamId: null,
      signInsEndedAt: AT,
    },
    optional: ['email', 'emailVerified', 'displayName', 'photoURL', 'activeTeamId', 'signInsEndedAt'],
  },
});
