import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { UsageError } from '../command.js'

const run = promisify(execFile)

/** OpenAPI documents of large services have several megabytes. */
const MAX_OUTPUT = 256 * 1024 * 1024

interface GitOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Runs git and returns what it prints; `null` if it fails, as it does for names that it does not know. */
export async function git(args: readonly string[], { env = {}, cwd }: GitOptions = {}): Promise<string | null> {
  try {
    const options = { maxBuffer: MAX_OUTPUT, env: { ...process.env, ...env }, ...(cwd === undefined ? {} : { cwd }) }
    return (await run('git', [...args], options)).stdout
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown }
    if (code === 'ENOENT') throw new UsageError('There is no git here: give the path of a document.', { cause: thrown })
    return null
  }
}

/** Returns the id of the commit that a branch, a tag or anything else names; `null` if there is none. */
export async function commitOf(name: string): Promise<string | null> {
  const id = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
  return id === null ? null : id.trim()
}
