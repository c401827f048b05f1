/** The settings of the user's own account. */
export const ACCOUNT = {
  title: 'Account',
  /** Shown to an operator who sees the service as another user. */
  onlyOwn:
    'Sign-in, data export and deletion are not shown here, because they would act on your own account.',

  profile: {
    title: 'Profile',
    /** The user, if they have neither a name nor an address. */
    you: 'You',
    email: 'E-mail',
    noEmail: 'none',
    verified: 'Address verified',
    isVerified: (isVerified: boolean): string => (isVerified ? 'yes' : 'no'),
    name: 'Your name',
    save: 'Save',
    saved: 'Saved.',
  },
  picture: {
    add: 'Add a picture',
    change: 'Change picture',
    changed: 'Your picture is changed.',
    remove: 'Remove picture',
    removed: 'Your picture is removed.',
    noPicture: 'This file is not a picture that your browser can read. Choose another one.',
    unreadable: 'This picture cannot be read. Choose another one.',
  },

  signIn: {
    title: 'Sign-in',
    password: 'E-mail and password',
    google: 'Google',
    phone: 'Phone',
    connectGoogle: 'Connect Google',
    googleConnected: 'Google is connected.',
    disconnect: 'Disconnect',
    disconnectGoogle: 'Disconnect Google',
    googleDisconnected: 'Google is disconnected. Other devices are signed out.',
  },
  password: {
    set: 'Set a password',
    isSet: 'You can sign in with this password from now on.',
    change: 'Change password',
    changeTitle: 'Change your password',
    isChanged: 'Your password is changed. Other devices are signed out.',
    name: 'New password',
    save: 'Save password',
  },
  address: {
    change: 'Change address',
    title: 'Change your e-mail address',
    name: 'New address',
    send: 'Send the message',
    sent: (address: string) =>
      `We sent a message to ${address}. Your address changes when you open its link.`,
  },
  signInAgain: {
    password: 'Your password',
    google: 'Google asks you to sign in once more.',
    /** Refuses an action of an operator who sees the service as another user. */
    impersonated: 'You see the service as another user. Stop this first, and then sign in.',
  },

  secondFactor: {
    title: 'Second factor',
    isOn: 'Each sign-in asks for a code of your authenticator app.',
    isOff: 'Protect your account with a code of an authenticator app at each sign-in.',
    verifyFirst: 'Verify your e-mail address first.',
    turnOn: 'Turn on',
    turnOnTitle: 'Turn on the second factor',
    needApp: 'You need an app on your phone that shows codes.',
    continue: 'Continue',
    scan: 'Scan this with your authenticator app, or enter the key there.',
    qrCode: 'QR code',
    key: 'Key:',
    confirmTurnOn: 'Turn on the second factor',
    /** Firebase Auth stores this name of the factor. */
    app: 'Authenticator app',
    turnedOn: 'The second factor is on.',
    turnOff: 'Turn off',
    turnOffTitle: 'Turn off the second factor?',
    confirmTurnOff: 'Turn off the second factor',
    turnedOff: 'The second factor is off.',
  },

  sessions: {
    title: 'Sessions',
    /** The things that are loading. */
    sessions: 'sessions',
    anotherProgram: 'Another program',
    since: (time: string) => `since ${time}`,
    thisOne: 'this one',
    end: 'End',
    endOf: (device: string, time: string) => `End the session in ${device} since ${time}`,
    /** The browser may still read live data, with the sign-in of the Firebase SDK. */
    ended: (device: string) =>
      `The session in ${device} has ended. If you no longer have this device, sign out everywhere.`,
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
  },
  export: {
    title: 'Your data',
    text: 'A file with everything that is stored about you.',
    open: 'Download my data',
    openTitle: 'Download your data',
    download: 'Download',
    saved: (file: string) => `Your data is saved in ${file}.`,
  },
  deletion: {
    title: 'Delete account',
    text: 'You leave your teams, your subscription ends, and your files are removed. Usage that is on no invoice yet is charged.',
    open: 'Delete my account',
    openTitle: 'Delete your account?',
    warning: 'This cannot be undone.',
    confirm: 'Delete everything',
  },
};
