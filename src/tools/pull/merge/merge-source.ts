import { mergeImports } from './merge-imports.js'
import { type Part, type PartList, sourceTree } from './source-tree.js'
import { inserted, removed, type SourceEdit, withEdits } from './source-edit.js'

/** Three versions of a file. */
export interface Versions {
  /** The text that was pulled last time. */
  readonly base: string
  /** The text that the database gives now. */
  readonly pulled: string
  /** The text in the file, with the edits of users. */
  readonly edited: string
}

/** A part that both the database and a user have changed. The text of the user is not changed. */
export interface MergeConflict {
  /** The path of the part: `const albums`, `attributes`, `title`. */
  readonly path: readonly string[]
  /** The text from the database; null if the database no longer has the part. */
  readonly pulled: string | null
}

export interface Merged {
  readonly text: string
  readonly conflicts: readonly MergeConflict[]
}

/**
 * Merges the changes of the database into a file that users have edited. It compares statements, members and calls, not lines, so
 * that another format is not a change. Parts that the database has not changed since the last pull are not changed.
 */
export function mergeSource({ base, pulled, edited }: Versions): Merged {
  if (edited === base || edited === pulled) return { text: pulled, conflicts: [] }
  if (base === pulled) return { text: edited, conflicts: [] }
  const merge = new Merge(pulled, edited)
  merge.lists([sourceTree(base), sourceTree(pulled), sourceTree(edited)], [])
  const text = withEdits(edited, merge.edits)
  return { text: mergeImports(text, { base, pulled }), conflicts: merge.conflicts }
}

type ThreeLists = readonly [base: PartList, pulled: PartList, edited: PartList]

/** Collects the edits and the conflicts of one file. */
class Merge {
  readonly edits: SourceEdit[] = []
  readonly conflicts: MergeConflict[] = []
  readonly #pulled: string
  readonly #edited: string

  constructor(pulled: string, edited: string) {
    this.#pulled = pulled
    this.#edited = edited
  }

  lists(versions: ThreeLists, path: readonly string[]): void {
    const [base, pulled, edited] = versions
    for (const part of pulled.parts) {
      if (part.key.startsWith('import ')) continue
      this.#partOf(part, versions, [...path, part.key])
    }
    for (const old of base.parts) {
      if (old.key.startsWith('import ') || partNamed(pulled, old.key) !== undefined) continue
      const current = partNamed(edited, old.key)
      if (current === undefined) continue
      if (current.content === old.content) this.edits.push(removed(this.#edited, edited, current))
      else this.conflicts.push({ path: [...path, old.key], pulled: null })
    }
  }

  #partOf(part: Part, versions: ThreeLists, path: readonly string[]): void {
    const [base, pulled, edited] = versions
    const old = partNamed(base, part.key)
    const current = partNamed(edited, part.key)
    const text = this.#pulled.slice(part.start, part.end)
    if (old?.content === part.content || current?.content === part.content) return
    if (current === undefined) {
      if (old === undefined)
        this.edits.push(inserted({ text: this.#edited, list: edited }, { pulled, part, source: this.#pulled }))
      // The user has removed it.
      else this.conflicts.push({ path, pulled: text })
      return
    }
    const [before, now, theirs] = [old?.inner ?? null, part.inner, current.inner]
    const isSameForm = before !== null && before.kind === now?.kind && before.kind === theirs?.kind
    // Part by part, so that the format of unchanged parts is not changed.
    if (isSameForm && now !== null && theirs !== null && before.frame === now.frame) {
      this.lists([before, now, theirs], path)
    } else if (current.content === old?.content) {
      this.edits.push({ start: current.start, end: current.end, text: this.#indented(part, current) })
    } else this.conflicts.push({ path, pulled: text })
  }

  /** Returns the pulled text of a part with the indent that the part has in the file. */
  #indented(part: Part, current: Part): string {
    const [from, to] = [indentAt(this.#pulled, part.start), indentAt(this.#edited, current.start)]
    const text = this.#pulled.slice(part.start, part.end)
    return from === to ? text : text.replaceAll(`\n${from}`, `\n${to}`)
  }
}

function partNamed({ parts }: PartList, key: string): Part | undefined {
  return parts.find((part) => part.key === key)
}

function indentAt(source: string, position: number): string {
  const line = source.slice(source.lastIndexOf('\n', position - 1) + 1)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
