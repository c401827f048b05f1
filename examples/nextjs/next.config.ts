import type { NextConfig } from 'next';

const config: NextConfig = {
  // The API must have the origin of the pages, because the cookie belongs to it. In production Hosting does this.
  rewrites: () =>
    Promise.resolve([
      { source: '/api/:path*', destination: `${process.env['HEARTH_URL'] ?? ''}/api/:path*` },
    ]),
  // In this repository the client is read from its sources. Remove these two for the published package.
  transpilePackages: ['@hearth/client'],
  webpack: (webpack: { resolve: { conditionNames?: string[] } }) => {
    webpack.resolve.conditionNames = ['@hearth/source', '...'];
    return webpack;
  },
};

export default config;
