import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { env } from 'node:process'
import type { Command, Options, Outcome, Shell } from '../command.js'
import { defineCommand, UsageError } from '../command.js'
import { counted } from '../counted.js'
import { installPackages } from '../init/install-packages.js'
import { type PackageManager, packageManagers, runningManager, scriptCall } from '../init/package-manager.js'
import { starterEngines } from '../init/starter-engines.js'
import { starterFiles } from '../init/starter-files.js'
import type { OwnVersions } from '../init/starter.js'
import { packageName } from '../init/starter-manifest.js'
import { clashes, writeStarter } from '../init/write-starter.js'
import type { ToolEngineName } from '../../../core/util/engine-name.js'
import { nearestWord } from '../../../core/util/nearest-word.js'
import { manifestOf } from '../package-file.js'
import { paintFor } from '../paint.js'
import { withProgress } from '../progress.js'
import { quotedPath, shownPath } from '../shown-path.js'

const engines = Object.keys(starterEngines) as readonly ToolEngineName[]
const [defaultEngine = ''] = engines

const options = {
  engine: {
    kind: 'value',
    value: 'engine',
    description: `the database: ${engines.join(' or ')}. Default: ${defaultEngine}`,
    completes: engines,
  },
  'package-manager': {
    kind: 'value',
    value: 'name',
    description: `${packageManagers.join(', ')}. Default: the one that runs the command, else npm`,
    completes: packageManagers,
  },
  install: { kind: 'flag', description: 'also installs the packages' },
  ashlar: {
    kind: 'value',
    value: 'package',
    description:
      'the version of ashlar to depend on, or the path of a packed one, with the packed @ashlar/cli beside it. Default: the version of the command',
    completes: 'file',
  },
  yes: { kind: 'flag', description: 'no prompts: omitted options have their defaults' },
} as const satisfies Options

/** `ashlar init`: writes a new service. */
export const init: Command = defineCommand(
  {
    name: 'init',
    summary: 'writes a new service',
    description: [
      'Writes a runnable service to a directory, by default the current one. The service has two types with a relation, the migration of their tables, tests, strict TypeScript and a README. Everybody may read; writing takes a token, which is random and in the file `.env`. `npm create ashlar` does the same: npm passes on the options after `--`.',
      'On a terminal, the command prompts for options that you omit. It never overwrites: if files with the same names exist, it lists them and writes nothing. Packages are installed only with --install, or if you choose so.',
    ],
    parameters: [{ name: 'directory', noun: 'the path of a directory', isOptional: true, completes: 'directory' }],
    options,
    examples: [
      { call: 'ashlar init music', description: 'Prompts for the other options.' },
      { call: 'ashlar init music --engine postgres --install --yes', description: 'For a script.' },
    ],
    exitCodes: {
      0: 'The files are written.',
      1: 'Files with the same names exist, and nothing is written. Or the packages cannot be installed.',
      2: 'The arguments are invalid, a prompt was cancelled, or the files cannot be written.',
    },
  },
  async (args, shell) => {
    const manager = (args['package-manager'] ?? runningManager(env) ?? 'npm') as PackageManager
    const { ask } = args.yes ? {} : shell
    const directory = resolve(args.directory ?? (await askDirectory(ask)))
    const engine = (args.engine ?? (await askEngine(ask))) as ToolEngineName
    const files = starterFiles({
      name: packageName(directory),
      engine,
      manager,
      versions: ownVersions(args.ashlar, directory),
    })
    const conflicts = clashes(directory, Object.keys(files))
    if (conflicts.length > 0) return refuse(directory, conflicts, shell)
    const isInstalling = args.install || (await askInstall(ask, manager))
    await writeStarter(directory, files)
    const written = { directory, engine, packageManager: manager, files: Object.keys(files) }
    shell.out(`${counted(written.files.length, 'file')} written to ${shownDirectory(directory)}.`)
    return isInstalling ? installInto(written, shell) : report(written, { isInstalled: false }, shell)
  },
)

type Ask = Shell['ask']

async function askDirectory(ask: Ask): Promise<string> {
  const fallback = readdirSync('.').some((name) => !name.startsWith('.')) ? 'music' : '.'
  if (ask === undefined) return '.'
  return (await ask(`Folder of the service (${fallback}): `)) || fallback
}

async function askEngine(ask: Ask): Promise<string> {
  if (ask === undefined) return defaultEngine
  for (;;) {
    const answer = await ask(`Database: ${engines.join(' or ')} (${defaultEngine}): `)
    const engine = answer === '' ? defaultEngine : nearestWord(answer, engines)
    if (engine !== null) return engine
  }
}

async function askInstall(ask: Ask, manager: PackageManager): Promise<boolean> {
  return ask !== undefined && /^(?:y|yes|)$/i.test(await ask(`Install the packages with ${manager} now? (Y/n): `))
}

/** Returns the versions of the own packages for package.json. Paths are relative to the new directory. */
function ownVersions(given: string | null, directory: string): OwnVersions {
  const isPath = given !== null && (existsSync(given) || /[/\\]|\.tgz$/.test(given))
  if (!isPath) {
    const version = given ?? `^${manifestOf('ashlar').version}`
    return { ashlar: version, '@ashlar/cli': version }
  }
  const cli = given.endsWith('.tgz')
    ? join(dirname(given), basename(given).replace(/^ashlar/, 'ashlar-cli'))
    : join(given, 'packages/cli')
  for (const path of [given, cli]) {
    if (!existsSync(path)) throw new UsageError(`There is no file or folder '${path}' for --ashlar.`)
  }
  const fileOf = (path: string): string => `file:${relative(directory, resolve(path)).replaceAll(sep, '/')}`
  return { ashlar: fileOf(given), '@ashlar/cli': fileOf(cli) }
}

function refuse(directory: string, conflicts: readonly string[], shell: Shell): Outcome {
  const error = `Nothing is written, because ${counted(conflicts.length, 'path')} in ${shownDirectory(directory)} would be overwritten.`
  shell.err(error)
  for (const path of conflicts) shell.err(`  - ${path}`)
  shell.err('Remedy: name another directory, or move them away.')
  return { code: 1, result: { error, inTheWay: conflicts } }
}

interface Written {
  readonly directory: string
  readonly engine: ToolEngineName
  readonly packageManager: PackageManager
  readonly files: readonly string[]
}

async function installInto(written: Written, shell: Shell): Promise<Outcome> {
  const { packageManager, directory } = written
  const { isComplete, output } = await withProgress(shell, `Installing packages with ${packageManager}`, () =>
    installPackages(packageManager, directory),
  )
  if (isComplete) return report(written, { isInstalled: true }, shell)
  shell.err(output)
  const error = `${packageManager} cannot install the packages. The files are written.`
  shell.err(error)
  return { code: 1, result: { error, ...written, isInstalled: false, output } }
}

function report(written: Written, { isInstalled }: { readonly isInstalled: boolean }, shell: Shell): Outcome {
  const { directory, engine, packageManager } = written
  const next = [
    ...(directory === resolve('') ? [] : [`cd ${quotedPath(shownPath(directory))}`]),
    ...(isInstalled ? [] : [`${packageManager} install`]),
    ...starterEngines[engine].next,
    scriptCall(packageManager, 'dev'),
  ]
  shell.out(`\n${paintFor(shell)('bold', 'Next:')}\n${next.map((line) => `  ${line}`).join('\n')}`)
  shell.out("\nEverybody may read. To write, send the token of the file '.env': README.md shows how.")
  return { code: 0, result: { ...written, isInstalled, next } }
}

function shownDirectory(directory: string): string {
  return directory === resolve('') ? 'this folder' : `'${shownPath(directory)}'`
}
