import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Contract } from '../../comparison/model/contract.js'
import { contractDocument } from '../../comparison/model/contract-document.js'
import { readContract } from '../../comparison/model/read-contract.js'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { Shell } from '../command.js'
import { UsageError } from '../command.js'
import { loadServer } from '../load-server.js'
import { withBuiltCommit } from './build-commit.js'
import type { NamedCommit } from './commit-document.js'
import { commitDocument, isDocument } from './commit-document.js'
import { repositoryOf } from './git.js'
import { readYaml } from './read-yaml.js'

/** One of the two contracts that are compared. */
export interface ReadSide {
  /** The name for messages: `main:openapi.json`. */
  readonly name: string
  readonly contract: Contract
}

export interface SideOptions {
  /** The other side: the document of a commit is in its folder. */
  readonly other: string
  readonly server: string
  /** The command that builds a commit; `null` to read its document. */
  readonly build: string | null
}

/**
 * Reads the contract that an argument names: a document, a module that exports a server, or a commit.
 *
 * @throws {UsageError} if it cannot be read
 */
export async function readSide(given: string, options: SideOptions, output: Shell): Promise<ReadSide> {
  if (isFile(given)) {
    const value = isDocument(given)
      ? await documentIn(await readFile(given, 'utf8'), given)
      : await describedBy(given, options.server, output)
    return sideOf(given, value)
  }
  const { other, server, build } = options
  const otherPath = isFile(other) ? other : '.'
  const named = await commitNamed(given, otherPath)
  if (build === null || named.file !== null) {
    const { name, text } = await commitDocument(named, { otherPath, server })
    return sideOf(name, await documentIn(text, name))
  }
  if (otherPath === '.' || isDocument(otherPath)) {
    throw new UsageError(`--build needs a module to load: give it as the other argument, not '${other}'.`)
  }
  const commit = { ...named, command: build, module: otherPath }
  return withBuiltCommit(commit, output, async (module) =>
    sideOf(named.name, await describedBy(module, server, output)),
  )
}

function sideOf(name: string, document: unknown): ReadSide {
  try {
    return { name, contract: readContract(contractDocument(document, `'${name}'`)) }
  } catch (thrown) {
    // Compares the name, because the package may be installed twice.
    if (!(thrown instanceof Error) || thrown.name !== 'ContractError') throw thrown
    throw new UsageError(thrown.message, { cause: thrown })
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

async function documentIn(text: string, name: string): Promise<unknown> {
  if (!name.endsWith('json')) return readYaml(text, name)
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    throw new UsageError(`'${name}' is not JSON: ${thrownMessage(thrown)}`, { cause: thrown })
  }
}

/** Returns a copy of the document as JSON data, so that the folder of its module may be removed. */
async function describedBy(module: string, server: string, output: Shell): Promise<unknown> {
  const loaded = await loadServer(module, output)
  if (loaded.kind === 'failed') throw new UsageError(loaded.reason)
  try {
    return JSON.parse(JSON.stringify(loaded.server.openapi(server))) as unknown
  } catch (thrown) {
    // A server that does not exist is a `TypeError`.
    if (!(thrown instanceof TypeError)) throw thrown
    throw new UsageError(thrownMessage(thrown), { cause: thrown })
  }
}

/**
 * @param given `main`, or `main:contract/openapi.json`
 * @param otherPath a path in the repository
 */
async function commitNamed(given: string, otherPath: string): Promise<NamedCommit> {
  const [name = '', ...rest] = given.split(':')
  const repository = await repositoryOf(otherPath === '.' ? '.' : dirname(otherPath))
  const id = await repository?.git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
  if (repository !== null && typeof id === 'string') {
    return { repository, commit: id.trim(), name, file: rest.length === 0 ? null : rest.join(':') }
  }
  if (repository === null)
    throw new UsageError(`There is no file '${given}', and no git repository that could have such a commit.`)
  const isPath = isDocument(given) || /[\\/]|\.[cm]?[jt]s$/.test(given)
  const advice = isPath ? '' : ` If it is a branch that CI has not fetched: git fetch --depth=1 origin ${name}:${name}`
  throw new UsageError(`There is no file '${given}', and git knows no branch, tag or commit '${name}'.${advice}`)
}
