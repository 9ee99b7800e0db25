import { basename } from 'node:path'
import { manifestOf } from '../package-file.js'
import { toolVersions } from '../tool-versions.js'
import { type PackageManager, scriptCall } from './package-manager.js'
import type { Starter } from './starter.js'

/** Returns the scripts. All shells must understand them, also that of Windows. */
function scriptsFor(manager: PackageManager, hasTests: boolean): Readonly<Record<string, string>> {
  return {
    dev: 'ashlar dev',
    // The compiler does not remove the output of files that were renamed or removed. Their tests would still run.
    build: `node -e "fs.rmSync('dist', { recursive: true, force: true })" && tsc`,
    start: 'node dist/main.js',
    ...(hasTests ? { test: `${scriptCall(manager, 'build')} && cd dist && node --test` } : {}),
    types: 'tsc --noEmit',
    check: 'ashlar check src/server.ts --database',
  }
}

interface ManifestOptions extends Pick<Starter, 'name' | 'manager' | 'versions'> {
  /** The packages that the service needs besides `ashlar`. */
  readonly libraries: readonly string[]
  readonly hasTests: boolean
}

/** Returns package.json of a new service. */
export function manifestText({ name, manager, versions: own, libraries, hasTests }: ManifestOptions): string {
  const { engines, peerDependencies } = manifestOf('ashlar')
  const versions = Object.fromEntries(libraries.map((library) => [library, peerDependencies[library] ?? 'latest']))
  const { '@types/pg': pgTypes, ...tools } = toolVersions
  return jsonText({
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines,
    scripts: scriptsFor(manager, hasTests),
    dependencies: sorted({ ashlar: own.ashlar, ...versions }),
    devDependencies: sorted({
      '@ashlar/cli': own['@ashlar/cli'],
      ...tools,
      ...(libraries.includes('pg') ? { '@types/pg': pgTypes } : {}),
    }),
    // A dependency of swagger-ui-dist reports installations, unless this setting disables it.
    ...(libraries.includes('swagger-ui-dist') ? { scarfSettings: { enabled: false } } : {}),
  })
}

/** Returns a name that npm accepts, made of the name of the directory. */
export function packageName(directory: string): string {
  const words = basename(directory)
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-') ?? 'service'
}

/** Returns tsconfig.json of a new service. */
export function tsconfigText(sources = 'src'): string {
  return jsonText({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      rootDir: sources,
      outDir: 'dist',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
    },
    include: [sources],
  })
}

function sorted(members: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function jsonText(value: object): string {
  // Short lists are on one line, as formatters write them.
  return `${JSON.stringify(value, null, 2).replaceAll(/\[\s+("[^"]*")\s+\]/g, '[$1]')}\n`
}
