/**
 * Shows the app in a browser, for tests. Components come from react-native-web, and the browser plays the phone: an
 * event `phone:open-link` is a link that the system passes to the app.
 */
export * from 'react-native-web';

export const Linking = {
  openURL: (url: string) => Promise.resolve(open(url)),
  getInitialURL: () => Promise.resolve(null),
  addEventListener(_type: 'url', listener: (link: { url: string }) => void) {
    const receive = (event: Event) => {
      listener({ url: String((event as CustomEvent).detail) });
    };
    addEventListener('phone:open-link', receive);
    return {
      remove: () => {
        removeEventListener('phone:open-link', receive);
      },
    };
  },
};
