import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import type { Output } from '../command.js'
import { UsageError } from '../command.js'
import type { NamedCommit } from './commit-document.js'
import type { Repository } from './git.js'

interface CommitBuild extends NamedCommit {
  /** The command that builds the project. */
  readonly command: string
  /** The path of the module in the working directory. */
  readonly module: string
}

/**
 * Checks out a commit to a temporary folder, builds it there, and calls a function with the path of its module. Neither the working directory nor
 * the repository is changed. The build uses the currently installed packages.
 */
export async function withBuiltCommit<T>(
  { repository, commit, name, command, module }: CommitBuild,
  output: Output,
  use: (module: string) => Promise<T>,
): Promise<T> {
  const here = await repository.pathOf('.')
  const folder = here.startsWith('..') ? '' : here
  const temporary = await mkdtemp(join(await realpath(tmpdir()), 'ashlar-diff-'))
  try {
    output.err(`Building the commit '${name}' with \`${command}\`.`)
    const tree = join(temporary, 'tree')
    await checkOut(repository, commit, { tree, index: join(temporary, 'index') })
    await linkPackages(repository.root, tree, [folder, await repository.pathOf(module)])
    await runCommand(command, join(tree, folder), name)
    return await use(join(tree, await repository.pathOf(module)))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

interface CheckOutPaths {
  readonly tree: string
  readonly index: string
}

/** Uses a separate index, so that the repository does not change, even if the process is killed. */
async function checkOut(repository: Repository, commit: string, { tree, index }: CheckOutPaths): Promise<void> {
  await mkdir(tree)
  const variables = { GIT_INDEX_FILE: index }
  const isRead = (await repository.git(['read-tree', commit], variables)) !== null
  const isWritten =
    isRead && (await repository.git(['checkout-index', '--all', `--prefix=${tree}/`], variables)) !== null
  if (!isWritten) throw new UsageError(`The commit '${commit}' cannot be checked out.`)
}

/** Links the packages of some folders, and of the folders above them. */
async function linkPackages(root: string, tree: string, folders: readonly string[]): Promise<void> {
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      const [from, to] = [join(root, folder, 'node_modules'), join(tree, folder, 'node_modules')]
      if (existsSync(from) && existsSync(join(tree, folder)) && !existsSync(to)) await linkEach(from, to)
      if (folder === '' || folder === '.') break
    }
  }
}

/** Links each package separately, so that a command that empties `node_modules`, such as `npm ci`, only removes links. */
async function linkEach(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name.startsWith('@')) await linkEach(join(from, name), join(to, name))
    // Other names with a dot are caches, and lists of installed packages.
    else if (name === '.bin' || !name.startsWith('.')) await symlink(join(from, name), join(to, name), 'junction')
  }
}

/** The number of lines that are shown of a failed build. */
const SHOWN_LINES = 20

async function runCommand(command: string, folder: string, name: string): Promise<void> {
  if (!existsSync(folder)) throw new UsageError(`The commit '${name}' has no folder of this name.`)
  const printed: string[] = []
  const code = await new Promise<number | null>((ended, failed) => {
    const child = spawn(command, { shell: true, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    }
    child.on('error', failed).on('close', ended)
  })
  if (code === 0) return
  const lines = printed.join('').trimEnd().split('\n').slice(-SHOWN_LINES)
  throw new UsageError(`\`${command}\` has failed at the commit '${name}':\n${lines.join('\n')}`)
}
