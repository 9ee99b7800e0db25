import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = fileURLToPath(new URL('src', import.meta.url))

export default defineConfig({
  resolve: {
    // The same names as the `paths` of tsconfig.json: tests import the package as its users do, from the sources.
    alias: [
      { find: /^ashlar$/, replacement: `${src}/index.ts` },
      { find: /^ashlar\/([\w-]+)$/, replacement: `${src}/$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'threads',
    // Sources and tests keep no module state, so files can share a worker: a third less time than with isolation.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 10_000,
    hookTimeout: 60_000,
    typecheck: { enabled: false },
  },
})
