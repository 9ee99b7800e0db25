import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { packages } from '../../scripts/packages.mjs'
import { removeFolder } from './run-folder.js'

/** The bundled packages, the examples and the programs of tests as JavaScript, for processes that tests start. */
export interface BuiltPackage {
  /** The root folder, which looks like the installed package `ashlar`: it has `package.json` and `dist`. The others are in its `packages`. */
  readonly folder: string
  /** Returns where the JavaScript of a program is, by its path in the repository. */
  pathOf(module: string): string
}

const root = fileURLToPath(new URL('../..', import.meta.url))

const compiler = join(root, 'node_modules/typescript-native/bin/tsc')

/** Programs that import the package. */
const compiled = [
  'examples/drizzle/src',
  'examples/existing-database/src',
  'examples/frameworks/src',
  'examples/music/src',
  'test/cli/modules/main.ts',
  'test/hostile/hosts-process.ts',
  'test/storm/music-process.ts',
  'bench/storage',
]

/** Files that the programs read when they run. */
const copied = [
  'bin.mjs',
  'examples/drizzle/schema.sql',
  'examples/existing-database/schema.sql',
  'examples/music/inbox',
]

/**
 * Builds the sources as they are, so that no test depends on an earlier `npm run build`. This happens once in a test
 * run, when the first test file needs it: all others share the folder, and change none of its modules.
 */
export function builtPackage(): BuiltPackage {
  const folder = builtOnce('built', (unfinished) => {
    run('The sources cannot be bundled', join(root, 'scripts/bundle.mjs'), unfinished)
    linkPackages(unfinished)
    compileInto(unfinished)
    for (const path of copied) cpSync(join(root, path), join(unfinished, path), { recursive: true })
  })
  return { folder, pathOf: (module) => join(folder, module.replace(/\.ts$/, '.js')) }
}

/** The program of the command `ashlar` in a folder in which the packages are installed. */
export const commandLine = 'node_modules/ashlar/bin.mjs'

/** Installs the packages in a folder, as links. */
export function installPackages(folder: string): void {
  const { folder: built } = builtPackage()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(built, join(folder, 'node_modules/ashlar'), 'junction')
  symlinkSync(join(built, 'node_modules/@ashlar'), join(folder, 'node_modules/@ashlar'), 'junction')
}

/**
 * Returns the setting `paths` of the compiler by which the names of the package lead to its declarations, as in an application. These are
 * built like `builtPackage()`.
 */
export function declarationPaths(): Readonly<Record<string, string[]>> {
  const folder = builtOnce('declarations', (unfinished) => {
    const words = ['-p', join(root, 'tsconfig.build.json'), '--noCheck', '--outDir', unfinished]
    run('The declarations cannot be written', compiler, ...words)
  })
  return {
    ashlar: [`${folder}/index.d.ts`],
    'ashlar/*': [`${folder}/*.d.ts`],
    '@ashlar/client': [`${folder}/client.d.ts`],
    '@ashlar/client/*': [`${folder}/*.d.ts`],
  }
}

function builtOnce(name: string, build: (folder: string) => void): string {
  const folder = join(inject('runFolder'), name)
  const unfinished = `${folder}-unfinished`
  while (!existsSync(folder)) {
    // The folder is also the lock: only one worker succeeds in making it.
    if (makesFolder(unfinished)) buildAs(folder, unfinished, build)
    else pause()
  }
  return folder
}

function buildAs(finished: string, unfinished: string, build: (folder: string) => void): void {
  try {
    // Another worker may have finished since the caller looked.
    if (existsSync(finished)) return
    build(unfinished)
    renameSync(unfinished, finished)
  } finally {
    removeFolder(unfinished)
  }
}

/** The packages find each other, and the programs find them. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@ashlar'), { recursive: true })
  for (const { name, folder: path } of packages) {
    cpSync(join(root, path, 'package.json'), join(folder, path, 'package.json'))
    const link = join(folder, 'node_modules', name)
    symlinkSync(relative(dirname(link), join(folder, path)), link, 'dir')
  }
}

function compileInto(folder: string): void {
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    // Other checks report type errors.
    compilerOptions: {
      noCheck: true,
      allowJs: true,
      experimentalDecorators: true,
      types: [],
      rootDir: root,
      outDir: folder,
    },
    include: compiled.map((path) => join(root, path)),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  run('The programs cannot be compiled', compiler, '-p', folder)
}

function run(failure: string, ...words: readonly string[]): void {
  try {
    execFileSync(execPath, words, { stdio: 'pipe', encoding: 'utf8' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${failure}:\n${stdout}${stderr}`, { cause: error })
  }
}

function makesFolder(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Blocks this worker for a moment, as the compiler blocks the worker that runs it. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
}
