declare module 'react-native-web';
