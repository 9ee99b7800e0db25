import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { cwd } from 'node:process'
import type { Output } from '../command.js'
import { UsageError } from '../command.js'
import { git } from './git.js'

export interface CommitBuild {
  readonly commit: string
  /** The name of the commit, for messages. */
  readonly name: string
  /** The command that builds the project. */
  readonly command: string
  /** The path of the module, as it is in the working directory. */
  readonly module: string
}

/**
 * Checks out a commit to a temporary folder, builds it there, and calls a function with the path of its module. Neither the working directory nor
 * the repository are changed. The packages are those that are installed now.
 */
export async function withBuiltCommit<T>(
  { commit, name, command, module }: CommitBuild,
  output: Output,
  use: (module: string) => Promise<T>,
): Promise<T> {
  const root = (await git(['rev-parse', '--show-toplevel']))?.trim()
  if (root === undefined) throw new UsageError('The working directory is not in a git repository.')
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'ashlar-diff-'))
  try {
    output.err(`Building the commit '${name}' with \`${command}\`.`)
    const tree = join(folder, 'tree')
    await checkOut(commit, tree, { index: join(folder, 'index'), root })
    const here = relative(root, await realpath(cwd()))
    await linkPackages(root, tree, here)
    await runCommand(command, join(tree, here), name)
    return await use(join(tree, here, relative(cwd(), resolve(module))))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface CheckOutPlaces {
  readonly index: string
  readonly root: string
}

/** An index of its own leaves that of the repository alone, and nothing is left behind if the process is killed. */
async function checkOut(commit: string, tree: string, { index, root }: CheckOutPlaces): Promise<void> {
  await mkdir(tree)
  const options = { env: { GIT_INDEX_FILE: index }, cwd: root }
  const isRead = (await git(['read-tree', commit], options)) !== null
  if (!isRead || (await git(['checkout-index', '--all', `--prefix=${tree}/`], options)) === null) {
    throw new UsageError(`The commit '${commit}' cannot be checked out.`)
  }
}

/** Links the packages of the working directory, and of the folders above it. */
async function linkPackages(root: string, tree: string, here: string): Promise<void> {
  for (let folder = here; ; folder = dirname(folder)) {
    const [from, to] = [join(root, folder, 'node_modules'), join(tree, folder, 'node_modules')]
    if (existsSync(from) && existsSync(dirname(to)) && !existsSync(to)) await symlink(from, to, 'junction')
    if (folder === '' || folder === '.') return
  }
}

/** How much of the output of a failed build is shown. */
const SHOWN_LINES = 20

async function runCommand(command: string, folder: string, name: string): Promise<void> {
  if (!existsSync(folder)) throw new UsageError(`The commit '${name}' has no folder '${relative('', cwd()) || '.'}'.`)
  const printed: string[] = []
  const code = await new Promise<number | null>((ended, failed) => {
    const child = spawn(command, { shell: true, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    child.on('error', failed).on('close', ended)
  })
  if (code === 0) return
  const lines = printed.join('').trimEnd().split('\n').slice(-SHOWN_LINES)
  throw new UsageError(`\`${command}\` has failed at the commit '${name}':\n${lines.join('\n')}`)
}
