import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { declarationPaths } from './built-package.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiler = join(root, 'node_modules/typescript-native/bin/tsc')

/** TypeScript texts by path. They import each other by relative paths, and files of the repository by absolute ones. */
export type VirtualFiles = Readonly<Record<string, string>>

export interface CompileOptions {
  /** Reports no unused variables and parameters. */
  readonly allowUnused?: boolean
}

export interface Diagnostic {
  /** Counted from 1, as in editors. */
  readonly line: number
  /** The whole message, with the indented lines that explain it. */
  readonly message: string
}

export interface Compilation {
  /** Returns the errors of one of the files, and throws if the path is not among them. */
  readonly diagnosticsOf: (path: string) => readonly Diagnostic[]
  /** The number of type instantiations in the whole program, declarations of the package included: the same on every machine. */
  readonly instantiations: number
}

/**
 * Type-checks texts in one program, with the options of the repository; `ashlar` leads to the declarations of the package, as in an
 * application. Errors of files outside the texts are left to `npm run check:types`.
 *
 * The files exist on disk while the compiler runs, in a folder of their own below the root, where packages are found.
 *
 * @throws if a text has a syntax error: the compiler then checks no types at all, and would hide all other errors
 */
export async function compile(files: VirtualFiles, options: CompileOptions = {}): Promise<Compilation> {
  const cache = join(root, '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'compile-'))
  try {
    await writeFiles(folder, { ...files, 'tsconfig.json': configFor(Object.keys(files), options) })
    return compilationFrom(await compilerOutput(folder), Object.keys(files))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeFiles(folder: string, files: VirtualFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

function configFor(files: readonly string[], { allowUnused = false }: CompileOptions): string {
  const paths = declarationPaths()
  return JSON.stringify({
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { allowJs: false, noUnusedLocals: !allowUnused, noUnusedParameters: !allowUnused, paths },
    files,
    include: [],
  })
}

/** Runs the native compiler in a folder, and returns its diagnostics and statistics as it prints them. */
function compilerOutput(folder: string): Promise<string> {
  // Several threads would each instantiate types: a fifth more CPU time, and more instantiations.
  const flags = ['--pretty', 'false', '--extendedDiagnostics', '--singleThreaded']
  // Without collecting garbage, it takes a quarter less CPU time, and not much more memory.
  const options = { cwd: folder, env: { ...env, GOGC: 'off', GOMEMLIMIT: '2GiB' }, maxBuffer: Number.POSITIVE_INFINITY }
  return new Promise((resolve) => {
    // The exit code is not needed: a compiler that crashes prints no statistics, which is checked below.
    execFile(execPath, [compiler, ...flags], options, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`))
  })
}

/** Matches `path(line,column): error TS1234: message`, and the indented lines that continue the message. */
const located = /^(\S.*?)\((\d+),\d+\): error TS\d+: (.*(?:\n[ \t].*)*)/gm

/** Matches an error of the program or of its configuration. The other diagnostics cannot be trusted then. */
const unlocated = /^(?:\S*\.json\(.*\): )?error TS/m

function compilationFrom(output: string, paths: readonly string[]): Compilation {
  const [, instantiations] = /^Instantiations: +(\d+)$/m.exec(output) ?? []
  const typesChecked = /^Check time:/m.test(output) && !unlocated.test(output)
  if (instantiations === undefined || !typesChecked) throw new Error(`The types were not checked:\n${output}`)
  const diagnostics = new Map<string, Diagnostic[]>(paths.map((path) => [path, []]))
  for (const [, path = '', line, message = ''] of output.matchAll(located)) {
    diagnostics.get(path)?.push({ line: Number(line), message })
  }
  return {
    instantiations: Number(instantiations),
    diagnosticsOf(path) {
      const found = diagnostics.get(path)
      if (found === undefined) throw new Error(`${path} is not among the files that were compiled`)
      return found
    },
  }
}
