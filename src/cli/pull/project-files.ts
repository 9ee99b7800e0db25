import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { env } from 'node:process'
import type { Pulled } from '../../pull/pull.js'
import { environmentText, ignoredText } from '../init/starter-files.js'
import { addCall, type PackageManager, scriptCall } from '../init/package-manager.js'
import { manifestText, packageName, tsconfigText } from '../init/starter-manifest.js'
import { ownManifest } from '../package-file.js'
import { shownPath } from '../shown-path.js'
import { toolVersions } from '../tool-versions.js'

/** The files around the sources of a service. Existing files are not changed. */
export interface Project {
  readonly files: readonly ProjectFile[]
  /** What the user must change in existing files. */
  readonly remarks: readonly string[]
  /** The commands with which the service is started. */
  readonly next: readonly string[]
}

interface ProjectFile {
  readonly path: string
  readonly text: string
  /** The permissions of the file. */
  readonly mode: number
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
  const added = { name: packageName(root), manager, ashlar: `^${ownManifest().version}`, libraries, hasTests: false }
  const env600 = newFile(join(root, '.env'), environmentText(), 0o600)
  const isIgnored = isEnvironmentIgnored(root)
  const files = [
    ...(manifest === null ? [newFile(join(root, 'package.json'), manifestText(added))] : []),
    ...(hasTsconfig(root, manifest)
      ? []
      : [newFile(join(root, 'tsconfig.json'), tsconfigText(slashed(root, sources)))]),
    newFile(join(root, '.gitignore'), ignoredText),
    env600,
  ].filter(({ path }) => !existsSync(path))
  const needs = manifest === null ? null : unmetNeeds(manifest, { libraries, manager })
  const hasToken = !files.includes(env600) && /^API_TOKEN=/m.test(readFileSync(env600.path, 'utf8'))
  return {
    files,
    remarks: [
      ...(files.includes(env600) || hasToken
        ? []
        : [`Add a line to ${shownPath(env600.path)}: ${environmentText().trim()}`]),
      ...(isIgnored || files.some(({ path }) => path.endsWith('.gitignore')) ? [] : ['Add a line to .gitignore: .env']),
      ...(needs === null || needs.isModule ? [] : ['Set "type": "module" in package.json: npm pkg set type=module']),
    ],
    next: [
      ...(root === resolve('') ? [] : [`cd ${shownPath(root)}`]),
      ...(needs === null ? [`${manager} install`] : needs.commands),
      ...(driver === 'pg' && env['DATABASE_URL'] === undefined
        ? ['export DATABASE_URL=postgres://user:password@127.0.0.1:5432/name']
        : []),
      needs === null ? scriptCall(manager, 'dev') : 'npx ashlar dev',
    ],
  }
}

/** Writes the files of a project. */
export async function writeProject(project: Project | null): Promise<void> {
  for (const { path, text, mode } of project?.files ?? []) await writeFile(path, text, { flag: 'wx', mode })
}

function newFile(path: string, text: string, mode = 0o666): ProjectFile {
  return { path, text, mode }
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
  const { type, dependencies, devDependencies, peerDependencies } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  ) as UserManifest
  const present = { ...peerDependencies, ...devDependencies, ...dependencies }
  const lacking = (names: readonly string[]): readonly string[] => names.filter((name) => !(name in present))
  const missing = lacking(['ashlar', ...libraries])
  const typings = libraries.map((name) => `@types/${name}`).filter((name) => typedApart.has(name))
  const missingTools = lacking([...Object.keys(toolVersions).filter((name) => name !== '@types/pg'), ...typings])
  return {
    isModule: type === 'module',
    commands: [
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
