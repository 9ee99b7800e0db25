/** The versions of tools that the project of Ashlar itself is tested with. Tests compare them with its package.json. */
export const toolVersions = {
  '@types/node': '^20.19.43',
  '@types/pg': '^8.23.1',
  'oxc-transform': '^0.151.0',
  typescript: '^7.0.2',
} as const
