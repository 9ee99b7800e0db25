import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { env } from 'node:process'
import type { Pulled } from '../../pull/pull.js'
import { ignoredText, variablesText } from '../init/starter-files.js'
import { addCall, type PackageManager, scriptCall } from '../init/package-manager.js'
import { manifestText, packageName, tsconfigText } from '../init/starter-manifest.js'
import { manifestOf } from '../package-file.js'
import { quotedPath, shownPath } from '../shown-path.js'
import { toolVersions } from '../tool-versions.js'

/** The files around the sources of a service. */
export interface Project {
  readonly root: string
  /** The texts of new files by their paths, relative to the root. Existing files are not changed. */
  readonly files: Readonly<Record<string, string>>
  /** What the user must change in existing files. */
  readonly remarks: readonly string[]
  /** The commands that install and start the service. */
  readonly next: readonly string[]
}

interface ProjectOptions {
  /** The folder of `server.ts`. */
  readonly sources: string
  /** The package that opens the database. */
  readonly driver: Pulled['driver']
  readonly manager: PackageManager
}

/** Returns what a folder lacks to install, compile and start a pulled service. */
export function projectFiles({ sources, driver, manager }: ProjectOptions): Project {
  const root = projectRoot(sources)
  const manifest = nearest(root, 'package.json')
  const libraries = driver === 'node:sqlite' ? ['kysely'] : ['kysely', driver]
  const version = `^${manifestOf('ashlar').version}`
  const versions = { ashlar: version, '@ashlar/cli': version }
  const added = { name: packageName(root), manager, versions, libraries, hasTests: false }
  const possible = {
    '.env': variablesText(),
    '.gitignore': ignoredText,
    ...(manifest === null ? { 'package.json': manifestText(added) } : {}),
    ...(hasTsconfig(root, manifest) ? {} : { 'tsconfig.json': tsconfigText(slashed(root, sources)) }),
  }
  const missing = Object.entries(possible).filter(([path]) => !existsSync(join(root, path)))
  const files = Object.fromEntries(missing)
  const needs = manifest === null ? null : unmetNeeds(manifest, { libraries, manager })
  return {
    root,
    files,
    remarks: [
      ...('.env' in files || hasToken(root) ? [] : [`Add to .env: ${/^API_TOKEN=.*$/m.exec(variablesText())?.[0]}`]),
      ...('.gitignore' in files || isEnvironmentIgnored(root) ? [] : ['Add to .gitignore: .env']),
      ...(needs === null || needs.isModule
        ? []
        : ['The service is an ES module: set "type": "module" in package.json.']),
    ],
    next: [
      ...(root === resolve('') ? [] : [`cd ${quotedPath(shownPath(root))}`]),
      ...(needs === null ? [`${manager} install`] : needs.commands),
      ...(driver === 'pg' && env['DATABASE_URL'] === undefined ? [exportUrl] : []),
      needs === null ? scriptCall(manager, 'dev') : 'npx ashlar dev',
    ],
  }
}

const exportUrl = 'export DATABASE_URL=postgres://user:password@127.0.0.1:5432/name'

function hasToken(root: string): boolean {
  return /^(?:export +)?API_TOKEN *=/m.test(readFileSync(join(root, '.env'), 'utf8'))
}

/** Returns the folder in which the service runs: the one with package.json, or else the working directory, around the sources. */
function projectRoot(sources: string): string {
  const here = resolve('')
  const top = sources === here || sources.startsWith(`${here}${sep}`) ? here : dirname(sources)
  let folder = sources
  while (folder !== top && !existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

/** Returns the path of a file in a folder or the nearest folder around it; null if there is none. */
function nearest(folder: string, name: string): string | null {
  const path = join(folder, name)
  if (existsSync(path)) return path
  return dirname(folder) === folder ? null : nearest(dirname(folder), name)
}

function hasTsconfig(root: string, manifest: string | null): boolean {
  const found = nearest(root, 'tsconfig.json')
  return found !== null && dirname(found).startsWith(dirname(manifest ?? join(root, 'package.json')))
}

/** Returns whether git ignores `.env`, by a line in a `.gitignore` of the folder, or of one around it in the same repository. */
function isEnvironmentIgnored(folder: string): boolean {
  const path = join(folder, '.gitignore')
  if (existsSync(path) && /^(?:\/|\*\*\/)?\.env(?:\*|\.\*)?\s*$/m.test(readFileSync(path, 'utf8'))) return true
  const isTop = existsSync(join(folder, '.git')) || dirname(folder) === folder
  return !isTop && isEnvironmentIgnored(dirname(folder))
}

/** The parts of package.json of the application that matter here. */
interface UserManifest {
  readonly type?: string
  readonly main?: string
  readonly scripts?: object
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly peerDependencies?: object
}

interface NeedOptions {
  readonly libraries: readonly string[]
  readonly manager: PackageManager
}

/** Returns the commands that install what an existing package.json lacks. */
function unmetNeeds(manifest: string, { libraries, manager }: NeedOptions) {
  const own = JSON.parse(readFileSync(manifest, 'utf8')) as UserManifest
  const present = { ...own.peerDependencies, ...own.devDependencies, ...own.dependencies }
  const lacking = (names: readonly string[]): readonly string[] => names.filter((name) => !(name in present))
  const missing = lacking(['ashlar', ...libraries])
  const typings = libraries.map((name) => `@types/${name}`).filter((name) => typedApart.has(name))
  const tools = Object.keys(toolVersions).filter((name) => name !== '@types/pg')
  const missingTools = lacking(['@ashlar/cli', ...tools, ...typings])
  // `npm install` in an empty folder writes a file that has only dependencies.
  const isBare = own.type === undefined && own.main === undefined && own.scripts === undefined
  return {
    isModule: isBare || own.type === 'module',
    commands: [
      ...(isBare ? ['npm pkg set type=module scripts.dev="ashlar dev" scripts.build=tsc'] : []),
      ...(missing.length === 0 ? [] : [addCall(manager, missing)]),
      ...(missingTools.length === 0 ? [] : [addCall(manager, missingTools, { isDev: true })]),
    ],
  }
}

/** The types of packages that have none themselves. */
const typedApart: ReadonlySet<string> = new Set(['@types/pg', '@types/better-sqlite3'])

function slashed(root: string, folder: string): string {
  return relative(root, folder).replaceAll(sep, '/') || '.'
}
