import { type MergeConflict, mergeSource } from './merge/merge-source.js'

/** The change of a file by a pull. */
export interface ChangedFile {
  /** Relative to the directory of the declarations. */
  readonly path: string
  readonly state: 'added' | 'changed' | 'removed' | 'unchanged' | 'skipped'
  /** The text in the file before; null if there is none. */
  readonly before: string | null
  /** The text after the pull; null if the file is removed. */
  readonly after: string | null
  readonly conflicts: readonly MergeConflict[]
  /** Why the file is not changed although the database has changed; null for other states than `skipped`. */
  readonly reason: string | null
}

type Texts = ReadonlyMap<string, string>

interface FileVersions {
  /** The texts that were pulled last time. */
  readonly recorded: Texts
  /** The texts that the database gives now. */
  readonly pulled: Texts
  /** Returns the text of a file; null if there is none. */
  readonly read: (path: string) => string | null
}

/** Decides what to write. Edits of users are not lost: see `mergeSource`. */
export function changedFiles({ recorded, pulled, read }: FileVersions): readonly ChangedFile[] {
  const paths = [...new Set([...pulled.keys(), ...recorded.keys()])].toSorted()
  return paths.flatMap((path) => {
    const versions = { base: recorded.get(path) ?? null, pulled: pulled.get(path) ?? null, current: read(path) }
    return changedFile(path, versions) ?? []
  })
}

interface FileTexts {
  readonly base: string | null
  readonly pulled: string | null
  readonly current: string | null
}

function changedFile(path: string, { base, pulled, current }: FileTexts): ChangedFile | null {
  const file = { path, before: current, conflicts: [], reason: null } as const
  const skipped = (reason: string): ChangedFile => ({ ...file, state: 'skipped', after: current, reason })
  if (pulled === null) {
    if (current === null) return null
    if (current === base) return { ...file, state: 'removed', after: null }
    return skipped('Its table does not exist or is not served any more, but the file was edited: remove it yourself.')
  }
  if (current === null) {
    return base === null
      ? { ...file, state: 'added', after: pulled }
      : skipped('The file was removed, and is not created again.')
  }
  if (base === null)
    return current === pulled ? { ...file, state: 'unchanged', after: current } : skipped('It was not pulled.')
  return mergedFile(path, { base, pulled, edited: current })
}

function mergedFile(path: string, versions: Parameters<typeof mergeSource>[0]): ChangedFile {
  const file = { path, before: versions.edited, reason: null } as const
  try {
    const { text, conflicts } = mergeSource(versions)
    return { ...file, state: text === versions.edited ? 'unchanged' : 'changed', after: text, conflicts }
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    const reason = `It cannot be parsed: ${thrown.message}`
    return { ...file, state: 'skipped', after: versions.edited, conflicts: [], reason }
  }
}
