/** Addresses that HTML and Firebase Auth accept, and that mail servers deliver to. In lower case. */
export const UNUSUAL_ADDRESSES = [
  'r&d@company.com',
  'a/b=c@company.com',
  "o'neill!#$%*?^_`{|}~@company.com",
  'vera@xn--e1afmkfd.xn--p1ai',
  'taro.@docomo.ne.jp',
] as const;
