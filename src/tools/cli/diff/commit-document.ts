import { existsSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import { UsageError } from '../command.js'
import type { Repository } from './git.js'

/** A commit, and the file in it, if the user has named one: `main`, `main:contract/openapi.json`. */
export interface NamedCommit {
  readonly repository: Repository
  /** The id. */
  readonly commit: string
  /** As the user has written it, without the file. */
  readonly name: string
  readonly file: string | null
}

interface FoundFile {
  /** `main:openapi.json` */
  readonly name: string
  readonly text: string
}

interface DocumentSearch {
  /** The path of the other side: the document is in the same folder or a folder above; `.` if the other side is not a file. */
  readonly otherPath: string
  /** The name of the server. */
  readonly server: string
}

/** Returns the text of the document that a commit has. */
export async function commitDocument(named: NamedCommit, search: DocumentSearch): Promise<FoundFile> {
  const { repository, commit, name } = named
  const wanted = await wantedPaths(named, search)
  const listed = await repository.git(['ls-tree', '--name-only', '-z', commit, '--', ...wanted])
  const existing = new Set((listed ?? '').split('\0'))
  const path = wanted.find((each) => existing.has(each))
  const text = path === undefined ? null : await repository.git(['show', `${commit}:${path}`])
  if (text === null) throw new UsageError(missingText(named, search, wanted))
  return { name: `${name}:${path}`, text }
}

/** Returns the paths that the document may have, relative to the root of the repository. */
async function wantedPaths(
  { repository, file }: NamedCommit,
  { otherPath, server }: DocumentSearch,
): Promise<readonly string[]> {
  // A path in the repository, or in the working directory.
  if (file !== null) return [file, ...(existsSync(file) ? [await repository.pathOf(file)] : [])]
  const near = await repository.pathOf(otherPath)
  if (isDocument(near)) return [near]
  const names = documentNames(server)
  const paths: string[] = []
  for (let folder = otherPath === '.' ? near : dirname(near); !folder.startsWith('..'); folder = dirname(folder)) {
    const isRoot = folder === '.' || folder === ''
    paths.push(...names.map((name) => (isRoot ? name : `${folder}/${name}`)))
    if (isRoot) break
  }
  return paths
}

/** Returns whether a path is that of a document, by its extension. */
export function isDocument(path: string): boolean {
  return /\.(?:json|ya?ml)$/.test(path)
}

function documentNames(server: string): readonly string[] {
  const base = server === 'default' ? 'openapi' : `openapi.${server}`
  return ['json', 'yaml', 'yml'].map((ending) => `${base}.${ending}`)
}

function missingText(
  { name, file }: NamedCommit,
  { otherPath, server }: DocumentSearch,
  wanted: readonly string[],
): string {
  const [first = 'openapi.json'] = wanted
  if (file !== null || isDocument(otherPath)) return `The commit '${name}' has no file '${first}'.`
  const [document = ''] = documentNames(server)
  return [
    `The commit '${name}' has no OpenAPI document: there is no '${document}' next to '${otherPath}' or in a folder above it.`,
    `Name it, as in '${name}:path/to/${document}', or build the commit: --build 'npm run build'.`,
    'For later comparisons, write one with `ashlar openapi --output`, and commit it.',
  ].join(' ')
}
