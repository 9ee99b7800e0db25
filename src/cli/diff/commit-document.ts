import { dirname, relative, resolve, sep } from 'node:path'
import { UsageError } from '../command.js'
import { git } from './git.js'

/** A commit, and the file in it, if the user has named one: `main`, `main:contract/openapi.json`. */
export interface NamedCommit {
  readonly commit: string
  /** As the user has written it, without the file. */
  readonly name: string
  readonly file: string | null
}

interface FoundFile {
  /** `main:openapi.json` */
  readonly name: string
  /** The path of the file, for its ending. */
  readonly path: string
  readonly text: string
}

interface DocumentSearch {
  /** The path of the other side, beside which or above which the document is; the working directory if there is none. */
  readonly beside: string
  /** The name of the server. */
  readonly server: string
}

/** Returns the text of the document that a commit has. */
export async function commitDocument(named: NamedCommit, search: DocumentSearch): Promise<FoundFile> {
  const { commit, name, file } = named
  const paths = file === null ? await foundPaths(named, search) : [file, `./${file}`]
  for (const path of paths) {
    const text = await git(['show', `${commit}:${path}`])
    if (text !== null) return { name: `${name}:${path.replace(/^\.\//, '')}`, path, text }
  }
  throw new UsageError(file === null ? await missingText(named, search) : `The commit '${name}' has no file '${file}'.`)
}

/** Returns the documents of the commit, those nearest to the other side first. */
async function foundPaths({ commit }: NamedCommit, search: DocumentSearch): Promise<readonly string[]> {
  const wanted = await candidates(search)
  const listed = await git(['ls-tree', '--full-tree', '--name-only', '-z', commit, '--', ...wanted])
  const existing = new Set((listed ?? '').split('\0'))
  return wanted.filter((path) => existing.has(path))
}

/** The paths that a document may have, from the root of the repository on: beside the other side, or in a folder above it. */
async function candidates({ beside, server }: DocumentSearch): Promise<readonly string[]> {
  const root = (await git(['rev-parse', '--show-toplevel']))?.trim()
  if (root === undefined) return []
  const names = documentNames(server)
  if (/\.(?:json|ya?ml)$/.test(beside)) return [slashed(relative(root, resolve(beside)))]
  const paths: string[] = []
  for (let folder = resolve(beside); ; folder = dirname(folder)) {
    const within = slashed(relative(root, folder))
    if (within.startsWith('..')) break
    paths.push(...names.map((name) => (within === '' ? name : `${within}/${name}`)))
    if (within === '') break
  }
  return paths
}

function documentNames(server: string): readonly string[] {
  const base = server === 'default' ? 'openapi' : `openapi.${server}`
  return ['json', 'yaml', 'yml'].map((ending) => `${base}.${ending}`)
}

async function missingText({ name }: NamedCommit, search: DocumentSearch): Promise<string> {
  const [first = ''] = documentNames(search.server)
  const isDocument = /\.(?:json|ya?ml)$/.test(search.beside)
  const [wanted = first] = isDocument ? await candidates(search) : []
  const where = isDocument ? `'${wanted}'` : `'${first}' beside '${search.beside}' or in a folder above it`
  return [
    `The commit '${name}' has no OpenAPI document: there is no ${where}.`,
    `Name it, as in '${name}:path/to/openapi.json', or build the commit: --build 'npm run build'.`,
    'To have one from now on, write it with `ashlar openapi --output` and commit it.',
  ].join(' ')
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/')
}
