import { basename } from 'node:path'
import { compiledName, isDeclarationFile } from '../../declare/discovery/declaration-files.js'
import { readSnapshot, snapshotModule } from '../../declare/discovery/snapshot-module.js'
import type { ChangedFile } from './changed-files.js'

interface SnapshotOptions {
  readonly directory: string
  /** The declaration files before the pull. */
  readonly present: readonly string[]
  readonly changes: readonly ChangedFile[]
  /** Returns the text of a file, relative to the directory; null if there is none. */
  readonly read: (path: string) => string | null
}

/** Decides what to write as the snapshot of the directory, which `server.ts` imports. */
export function changedSnapshot({ directory, present, changes, read }: SnapshotOptions): ChangedFile {
  const gone = new Set(changes.filter(({ state }) => state === 'removed').map(({ path }) => path))
  const added = changes
    .filter(({ state, path }) => state === 'added' && isDeclarationFile(path))
    .map(({ path }) => path)
  const files = [...new Set([...present, ...added])].filter((path) => !gone.has(path))
  files.sort((one, other) => (compiledName(one) < compiledName(other) ? -1 : 1))
  const name = basename(directory)
  const output = `${name}.snapshot.ts`
  const path = `../${output}`
  const before = read(path)
  const file = { path, before, conflicts: [], reason: null } as const
  if (before !== null && readSnapshot(before) === null) {
    return { ...file, state: 'skipped', after: before, reason: 'It is not a snapshot.' }
  }
  const after = snapshotModule({ directory: name, output, hasTsExtensions: false, files })
  return { ...file, state: before === null ? 'added' : before === after ? 'unchanged' : 'changed', after }
}
