import { inserted, removed, type SourceEdit, withEdits } from './source-edit.js'
import { type Part, type PartList, sourceTree } from './source-tree.js'
import { tokensOf } from './tokens.js'

interface PulledVersions {
  readonly base: string
  readonly pulled: string
}

/**
 * Adds the missing imports of a merged text, and removes unused imports that come from a pull.
 */
export function mergeImports(text: string, { base, pulled }: PulledVersions): string {
  const tree = sourceTree(text)
  const used = usedWords(text, tree)
  const edits = [
    ...addedEffects(tree, { base, pulled }),
    ...importsOf(sourceTree(pulled)).flatMap((wanted) => addedImports(wanted, { text, tree, used, source: pulled })),
    ...importsOf(sourceTree(base)).flatMap((old) => droppedImports(old, { text, tree, used })),
  ]
  return withEdits(text, edits)
}

function importsOf({ parts }: PartList): readonly Part[] {
  return parts.filter(({ key }) => key.startsWith('import '))
}

/** Adds new imports without names. They come first, because other modules depend on their effects. */
function addedEffects(tree: PartList, { base, pulled }: PulledVersions): readonly SourceEdit[] {
  const known = new Set([...importsOf(sourceTree(base)), ...importsOf(tree)].map(({ key }) => key))
  const added = importsOf(sourceTree(pulled)).filter(
    ({ key, content }) => content.startsWith("import '") && !known.has(key),
  )
  const start = importsOf(tree)[0]?.start ?? 0
  const lines = added.map(({ start: from, end }) => `${pulled.slice(from, end)}\n`)
  return lines.length === 0 ? [] : [{ start, end: start, text: lines.join('') }]
}

/** Returns the words of a text outside of its imports. */
function usedWords(text: string, tree: PartList): ReadonlySet<string> {
  const imports = importsOf(tree)
  const isImport = (position: number): boolean => imports.some(({ start, end }) => position >= start && position < end)
  return new Set(tokensOf(text).flatMap(({ text: word, start }) => (isImport(start) ? [] : [word])))
}

interface ImportContext {
  readonly text: string
  readonly tree: PartList
  readonly used: ReadonlySet<string>
}

function addedImports(
  wanted: Part,
  { text, tree, used, source }: ImportContext & { readonly source: string },
): readonly SourceEdit[] {
  const known = new Set(importsOf(tree).flatMap(({ inner }) => inner?.parts.map(({ key }) => key) ?? []))
  const missing = wanted.inner?.parts.filter(({ key }) => used.has(key) && !known.has(key)) ?? []
  if (missing.length === 0 || wanted.inner === null) return []
  const current = importsOf(tree).find(({ key }) => key === wanted.key)
  const { inner } = current ?? {}
  if (inner?.kind === 'members') {
    const { inner: pulled } = wanted
    return missing.map((part) => inserted({ text, list: inner }, { pulled, part, source }))
  }
  const last = importsOf(tree).at(-1)
  const specifier = wanted.key.slice('import '.length)
  const start = last?.end ?? 0
  const line = `import { ${missing.map(({ key }) => key).join(', ')} } from '${specifier}'`
  return [{ start, end: start, text: last === undefined ? `${line}\n` : `\n${line}` }]
}

function droppedImports(old: Part, { text, tree, used }: ImportContext): readonly SourceEdit[] {
  const current = importsOf(tree).find(({ key }) => key === old.key)
  const { inner } = current ?? {}
  if (current === undefined || inner === null || inner === undefined) return []
  const names = new Set(old.inner?.parts.map(({ key }) => key))
  const unused = inner.parts.filter(({ key }) => names.has(key) && !used.has(key))
  if (unused.length === 0) return []
  if (unused.length === inner.parts.length) return [removed(text, tree, current)]
  return unused.map((part) => removed(text, inner, part))
}
