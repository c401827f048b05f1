import type { FirebaseOptions } from 'firebase/app';
import { Linking } from 'react-native';
import { connect } from './src/backend.ts';
import { Screens } from './src/screens.tsx';
import { Shop } from './src/shop.ts';

// Expo builds these variables in. https://docs.expo.dev/guides/environment-variables/
const { auth, hearth } = connect({
  hearthUrl: process.env['EXPO_PUBLIC_HEARTH_URL'] ?? '',
  firebase: JSON.parse(process.env['EXPO_PUBLIC_FIREBASE_CONFIG'] ?? '{}') as FirebaseOptions,
  authEmulator: process.env['EXPO_PUBLIC_AUTH_EMULATOR'],
});

const shop = new Shop({
  auth,
  hearth,
  openPage: (url) => Linking.openURL(url),
});

export default function App() {
  return <Screens shop={shop} />;
}
