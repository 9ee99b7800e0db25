import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { env, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'
import { withoutServer } from './test/support/mariadb-server.js'
import { measuredSlowness } from './test/support/machine-speed.js'
import { notOnMariadb } from './test/support/not-on-mariadb.js'
import { publishedSqlTests, publishedTests } from './test/support/published.js'
import { slowestFiles } from './test/support/slowest-files.js'
import { onEveryStore, storeFreeTests } from './test/support/store-free.js'

/** `npm run test:long` tries many more random values, and every chapter on every store. */
const isLong = env['ASHLAR_LONG'] === '1'

// Functions are optimized after 15 times as much work as usual. Most code of a test run never earns back what the optimizing
// compiler takes: a fifth of the CPU time of the workers. Hot loops are still optimized. Later versions of V8 do not have the flag.
if (versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000')

// Tests leave much garbage behind: with more room for it, it is collected less often.
setFlagsFromString('--min-semi-space-size=64')
setFlagsFromString('--max-semi-space-size=64')

const src = fileURLToPath(new URL('src', import.meta.url))
const warpDrive = fileURLToPath(new URL('node_modules/@warp-drive', import.meta.url))

/** Tests of the service as such, which holds on every store. */
const service = ['spec/**/*', 'atomic/**/*', 'regression/**/*', 'properties/**/*', 'hostile/any-*'].map(
  (files) => `test/${files}.test.ts`,
)

const gone = storeFreeTests.filter((file) => !existsSync(new URL(file, import.meta.url)))
if (gone.length > 0) throw new Error(`test/support/store-free.ts names files that do not exist: ${gone.join(', ')}`)

/** Service tests that do not depend on the store. */
const storeFree = isLong ? [] : [...storeFreeTests]

/** The short run of `npm test`. */
const isShort = env['ASHLAR_SHORT'] === '1'

/** The step `published` of `npm run verify`: the tests that `npm test` leaves out. */
const isPublished = env['ASHLAR_PUBLISHED'] === '1'
const published = isShort ? [...publishedTests, ...publishedSqlTests] : []

/** In `npm test`, each other chapter runs on one of the three stores, in turn. Property tests, access, limits of rows, searches of texts and `test:long` have all of them. */
const alternating = !isShort
  ? []
  : ['spec', 'atomic', 'regression']
      .flatMap((folder) =>
        readdirSync(new URL(`test/${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
          .map((file) => `test/${folder}/${file.replaceAll('\\', '/')}`)
          .toSorted(),
      )
      .filter((file) => file.endsWith('.test.ts') && !onEveryStore.test(`/${file}`))
      .filter((file) => !storeFree.includes(file))
/** What it takes is the garbage collection of a large heap, which the other stores only repeat. */
const onSqliteOnly = isShort ? ['test/spec/access/many-callers.test.ts'] : []
const notOn = (turn: number): readonly string[] => alternating.filter((_, index) => index % 3 !== turn)

/** Tests of the SQL store itself, and of what stands on it: they have both engines at hand, whatever the project's store is. */
const sql = ['data/sql', 'data/drizzle', 'cli', 'storm', 'example', 'clients'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

/** Time limits are generous and scale with this factor, so that no test fails because a machine is slow or busy. */
const slowness = measuredSlowness()
const timeLimit = Math.ceil((isLong ? 3_600_000 : 60_000) * slowness)

/** Property tests try the same values in every run, unless a seed is given, as `npm run test:long` does. */
const seed = Number(env['SEED'] ?? 1)

/** Tests of MariaDB, and the one that says why there are none. */
const mariadbTests = ['test/data/mariadb/**/*.test.ts']
const skippedOnMariadb = 'test/support/without-mariadb.test.ts'
const onMariadb = [...mariadbTests, skippedOnMariadb]

/** The chapters that `npm test` runs on MariaDB. `npm run test:long` runs all of them there. */
const samplesOnMariadb = [
  'spec/service-overview',
  'spec/relationship-bounds',
  'spec/access/leak-walk',
  'properties/writes',
].map((name) => `test/${name}.test.ts`)

/** Why the tests on MariaDB are skipped; null if they run. */
const absent = withoutServer()

const provided = { slowness, seed }

/** `provide` tells the tests which store is under test: see test/support/stored-data.ts. */
export default defineConfig({
  resolve: {
    // The same names as the `paths` of tsconfig.json: tests import the packages as their users do, from the sources.
    alias: [
      { find: /^ashlar$/, replacement: `${src}/index.ts` },
      { find: /^ashlar\/([\w-]+)$/, replacement: `${src}/$1.ts` },
      { find: /^@ashlar\/client$/, replacement: `${src}/client.ts` },
      { find: /^@ashlar\/client\/([\w-]+)$/, replacement: `${src}/$1.ts` },
      // The builds of WarpDrive that need no build step: what Node takes with --conditions=unpkg.
      { find: /^@warp-drive\/([\w-]+)$/, replacement: `${warpDrive}/$1/dist/unpkg/prod/index.js` },
      { find: /^@warp-drive\/([\w-]+)\/([\w/-]+)$/, replacement: `${warpDrive}/$1/dist/unpkg/prod/$2.js` },
    ],
  },
  test: {
    reporters: ['default', slowestFiles],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/close-stores.ts', 'test/support/property-seed.ts', 'test/support/quiet-warnings.ts'],
    pool: 'threads',
    // Vite resolves the imports of these, so that the aliases above hold between them too.
    server: { deps: { inline: [/@warp-drive/] } },
    // The three projects transform the same sources: what the first has transformed serves the others, and the next run.
    experimental: { fsModuleCache: true },
    // One for each core, but no more than PostgreSQL has connections for.
    maxWorkers: Math.min(availableParallelism(), 8),
    // Sources keep no module state, so files can share a worker: a third less time than with isolation.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // The example does not refuse requests of tests because the machine is busy.
    env: { MAX_DELAY: '60000' },
    testTimeout: timeLimit,
    hookTimeout: timeLimit,
    typecheck: { enabled: false },
    // The styles of the viewer are read as a text. Vitest would give an empty one.
    css: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'memory',
          include: isPublished ? [...publishedTests] : ['test/**/*.test.ts'],
          exclude: [...onMariadb, ...sql, ...notOn(0), ...published, ...onSqliteOnly],
          provide: { store: 'memory', ...provided },
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: isPublished ? [] : service,
          exclude: [...storeFree, ...notOn(1), ...published],
          provide: { store: 'sqlite', ...provided },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: isPublished ? [...publishedSqlTests] : [...service, ...sql],
          exclude: [...storeFree, ...notOn(2), ...published, ...onSqliteOnly],
          globalSetup: ['test/support/postgres-setup.ts'],
          provide: { store: 'postgres', ...provided },
        },
      },
      {
        extends: true,
        test: {
          name: 'mariadb',
          ...(absent === null
            ? {
                include: isPublished ? [] : [...mariadbTests, ...(isShort ? samplesOnMariadb : service)],
                exclude: [...storeFree, ...Object.keys(notOnMariadb)],
                globalSetup: ['test/support/mariadb-setup.ts'],
              }
            : { include: isPublished ? [] : [skippedOnMariadb] }),
          provide: { store: 'mariadb', withoutMariadb: absent ?? '', ...provided },
        },
      },
    ],
  },
})
