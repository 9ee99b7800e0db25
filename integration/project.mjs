// @ts-check
/** A project like a user's, with the packed packages installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { env, execPath, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { packages } from '../scripts/packages.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const manifest = manifestIn('.')

/** The compiler of TypeScript. */
export const compiler = join(root, 'node_modules/typescript-native/bin/tsc')

/** What can be imported: `ashlar`, `ashlar/sql`, …, `@ashlar/client`, … */
export const specifiers = packages.flatMap((each) => each.specifiers)

/** The program of the command `ashlar`, in a project. */
export const commandLine = 'node_modules/ashlar/bin.mjs'

/** The optional packages that Ashlar may use. */
export const peers = [
  ...new Set(packages.flatMap(({ folder }) => Object.keys(manifestIn(folder).peerDependencies ?? {}))),
]

/** Packs the packages, and installs them in a project below a folder. @param {string} folder @returns {string} its path */
export function makeProject(folder) {
  const project = join(folder, 'project')
  const tarballs = [...packages.map((each) => each.folder), 'packages/create-ashlar'].map((each) => pack(each, folder))
  cpSync(join(root, 'integration/consumer'), project, { recursive: true })
  const own = { name: 'consumer', version: '1.0.0', private: true, type: 'module' }
  writeFileSync(join(project, 'package.json'), JSON.stringify(own))
  install(project, tarballs)
  linkFromRoot(project, ['@types/node'])
  writeFileSync(join(project, 'specifiers.json'), JSON.stringify(specifiers))
  writeFileSync(
    join(project, 'every-subpath.ts'),
    specifiers.map((specifier, index) => `export * as subpath${index} from '${specifier}'\n`).join(''),
  )
  return project
}

/** @param {string} folder  of a package, relative to the root */
function manifestIn(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

/** @param {string} project @param {readonly string[]} tarballs */
export function install(project, tarballs) {
  npm(project, 'install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', ...tarballs)
}

/** @param {string} source  the folder of a package, relative to the root @param {string} folder @returns {string} the tarball's path */
export function pack(source, folder) {
  const response = npm(join(root, source), 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [packed] = JSON.parse(response)
  console.log(`${packed.filename}: ${packed.files.length} files, ${Math.ceil(packed.size / 1024)} kB`)
  return join(folder, packed.filename)
}

/**
 * What the declarations lean on, without asking a registry for it.
 * @param {string} project @param {readonly string[]} names
 */
export function linkFromRoot(project, names) {
  for (const name of names) {
    const target = join(root, 'node_modules', name)
    const link = join(project, 'node_modules', name)
    if (!existsSync(target) || existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, 'junction')
  }
}

/**
 * Runs a program of the project, and returns what it wrote if it fails. Programs that it starts by the name `node` have the
 * same version.
 * @param {string} project @param {readonly string[]} words @param {string} [node] @returns {string}
 */
export function runErrors(project, words, node = execPath) {
  try {
    execFileSync(node, words, {
      cwd: project,
      env: { ...env, PATH: [dirname(node), env['PATH']].join(delimiter) },
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 64 * 2 ** 20,
      timeout: 1_800_000,
    })
    return ''
  } catch (error) {
    // The message of a failed child carries what it wrote to stderr.
    const { message, stdout } = /** @type {Error & { stdout?: string }} */ (error)
    return [message, stdout].join('\n')
  }
}

/** @param {string} cwd @param {...string} words */
export function npm(cwd, ...words) {
  return execFileSync('npm', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: platform === 'win32',
  })
}
