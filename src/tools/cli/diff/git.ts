import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { UsageError } from '../command.js'

const run = promisify(execFile)

/** OpenAPI documents of large services have several megabytes. */
const MAX_OUTPUT = 256 * 1024 * 1024

/** A git repository. */
export interface Repository {
  /** The path of its root. */
  readonly root: string
  /** Runs git at the root, and returns its output; `null` if it fails, for example for an unknown name. */
  git(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<string | null>
  /** Returns a path relative to the root, with slashes. It begins with `..` if it is outside of the repository. */
  pathOf(path: string): Promise<string>
}

/** Returns the repository that a folder is in; `null` if there is none. */
export async function repositoryOf(folder: string): Promise<Repository | null> {
  const root = (await git(['rev-parse', '--show-toplevel'], folder, {}))?.replace(/\r?\n$/, '')
  if (root === undefined) return null
  return {
    root,
    git: (args, variables = {}) => git(args, root, variables),
    pathOf: async (path) => relative(root, await realpath(path)).replaceAll(sep, '/'),
  }
}

async function git(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
): Promise<string | null> {
  try {
    return (await run('git', [...args], { cwd, env: { ...env, ...variables }, maxBuffer: MAX_OUTPUT })).stdout
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown }
    if (code === 'ENOENT') throw new UsageError('git is not installed: give the path of a document.', { cause: thrown })
    return null
  }
}
