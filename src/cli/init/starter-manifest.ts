import { ownManifest } from '../package-file.js'
import { toolVersions } from '../tool-versions.js'
import { type PackageManager, scriptCall } from './package-manager.js'
import type { Starter } from './starter.js'

/** Returns the scripts. All shells must understand them, also that of Windows. */
function scriptsFor(manager: PackageManager): Readonly<Record<string, string>> {
  return {
    dev: 'ashlar dev',
    // The compiler does not remove the output of files that were renamed or removed. Their tests would still run.
    build: `node -e "fs.rmSync('dist', { recursive: true, force: true })" && tsc`,
    start: 'node dist/main.js',
    test: `${scriptCall(manager, 'build')} && cd dist && node --test`,
    types: 'tsc --noEmit',
    check: 'ashlar check src/server.ts --database',
  }
}

/** Returns package.json of a new service. */
export function manifestText({ name, engine, manager, ashlar }: Starter): string {
  const { engines, peerDependencies } = ownManifest()
  const driver = engine === 'sqlite' ? '@photostructure/sqlite' : 'pg'
  const versions = Object.fromEntries(
    [driver, 'kysely', 'swagger-ui-dist'].map((dependency) => [dependency, peerDependencies[dependency]]),
  )
  const { '@types/pg': pgTypes, ...tools } = toolVersions
  return jsonText({
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines,
    scripts: scriptsFor(manager),
    dependencies: sorted({ ashlar, ...versions }),
    devDependencies: sorted({ ...tools, ...(engine === 'postgres' ? { '@types/pg': pgTypes } : {}) }),
    // A dependency of swagger-ui-dist reports installations, unless this setting disables it.
    scarfSettings: { enabled: false },
  })
}

/** Returns tsconfig.json of a new service. */
export function tsconfigText(): string {
  return jsonText({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      rootDir: 'src',
      outDir: 'dist',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
    },
    include: ['src'],
  })
}

function sorted(members: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function jsonText(value: object): string {
  // Short lists are on one line, as formatters write them.
  return `${JSON.stringify(value, null, 2).replaceAll(/\[\s+("[^"]*")\s+\]/g, '[$1]')}\n`
}
