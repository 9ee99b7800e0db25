import type { Finding } from '../compare/change.js'
import { compareNodes } from '../compare/compare-nodes.js'
import type { ContractRule, OperationPair, Sides } from '../compare/contract-rule.js'
import { listDifference, operationPairs, quotedNames, when } from '../compare/contract-rule.js'
import type { PageContract } from '../model/contract.js'
import type { SchemaNode } from '../model/schema-node.js'
import type { Bound } from '../model/value-rules.js'
import { valueText } from '../compare/rule-text.js'
import { placeOfQuery } from '../compare/query-place.js'

/** Compares the pages of collections: their kinds, keys, sizes and limits. */
export const pages: ContractRule = (sides) =>
  operationPairs(sides).flatMap((pair) => {
    const [old, newer] = [pair.before.query.page, pair.after.query.page]
    if (old === null && newer === null) return []
    const finding = (code: Finding['code'], clause: string, member = '?page'): Finding => {
      const { place, of } = placeOfQuery(pair.before, member)
      return { ...place, code, sentence: `The pages${of} ${clause}` }
    }
    if (old === null) return [finding('pages-introduced', `are new: they are ${kindText(newer)}.`)]
    if (newer === null) return [finding('pages-removed', 'are gone.')]
    const kinds = kindFindings(old, newer, finding)
    return kinds.some(({ code }) => code === 'page-kind-changed')
      ? kinds
      : [...kinds, ...keyFindings({ old, newer, pair, sides }, finding)]
  })

type AddFinding = (code: Finding['code'], clause: string, member?: string) => Finding

const kindNames: Readonly<Record<string, string>> = Object.freeze({
  page: 'selected by number and size',
  fixed: 'selected by number',
  offset: 'selected by offset and limit',
  cursor: 'selected by cursors',
})

function kindText(page: PageContract | null): string {
  const kinds = page?.kinds ?? []
  const [only] = kinds
  return kinds.length === 1 && only !== undefined ? (kindNames[only] ?? `of the kind '${only}'`) : 'of several kinds'
}

function kindFindings(old: PageContract, newer: PageContract, finding: AddFinding): readonly Finding[] {
  const { added, removed } = listDifference(old.kinds, newer.kinds)
  const isOther = removed.length > 0 && removed.length === old.kinds.length
  if (isOther) return [finding('page-kind-changed', `are ${kindText(newer)} instead of ${kindText(old)}.`)]
  const [before, after] = [old.defaultKind ?? old.kinds[0], newer.defaultKind ?? newer.kinds[0]]
  const isOtherDefault = before !== undefined && after !== undefined && before !== after && newer.kinds.includes(before)
  return [
    ...when(removed.length > 0, finding('page-kind-removed', `can no longer be of the kind ${quotedNames(removed)}.`)),
    ...when(added.length > 0, finding('page-kind-added', `can be of the kind ${quotedNames(added)}.`)),
    ...when(
      isOtherDefault,
      finding('default-page-kind-changed', `are of the kind '${after}' instead of '${before}' by default.`),
    ),
  ]
}

interface PageSides {
  readonly old: PageContract
  readonly newer: PageContract
  readonly pair: OperationPair
  readonly sides: Sides
}

function keyFindings({ old, newer, pair, sides }: PageSides, finding: AddFinding): readonly Finding[] {
  const { added, removed } = listDifference(keysOf(old), keysOf(newer))
  const { place, of } = placeOfQuery(pair.before, '?page')
  return [
    ...removed.map((key) => finding('page-key-removed', `no longer have the key '${key}'.`, `?page[${key}]`)),
    ...added.map((key) => finding('page-key-added', `have the key '${key}'.`, `?page[${key}]`)),
    ...[...old.keys].flatMap(([name, before]) => {
      const after = newer.keys.get(name)
      if (after === undefined) return []
      const key = name.split('.').at(-1) ?? name
      const member = `?page[${key}]`
      const subject = (): string => `The key '${key}' of the pages${of}`
      const at = { ...place, sides, member, subject }
      return [
        ...sizeFindings(name, before, after, finding),
        ...compareNodes({ query: withoutSizes(before) }, { query: withoutSizes(after) }, at),
      ]
    }),
  ]
}

/** In a menu, several kinds may have the same key. */
function keysOf({ keys }: PageContract): readonly string[] {
  return [...keys.keys()].map((name) => name.split('.').at(-1) ?? name)
}

/** @param name `size`, or with the kind of a menu `cursor.size` */
function sizeFindings(name: string, before: SchemaNode, after: SchemaNode, finding: AddFinding): readonly Finding[] {
  const [key = name, kind] = name.split('.').toReversed()
  const start = kind === undefined ? 'have' : `of the kind '${kind}' have`
  const member = `?page[${key}]`
  const [oldLimit, newLimit] = [limitOf(before), limitOf(after)]
  const [oldDefault, newDefault] = [before, after].map((node) => valueText(node.rules.get('default') ?? 'none'))
  const limitCode = newLimit < oldLimit ? 'page-limit-lowered' : 'page-limit-raised'
  const limits = `${start} at most ${countText(newLimit)} resources instead of ${countText(oldLimit)}.`
  const defaults = `${start} ${newDefault} instead of ${oldDefault} as the default of '${key}'.`
  return [
    ...when(oldLimit !== newLimit, finding(limitCode, limits, member)),
    ...when(oldDefault !== newDefault, finding('page-size-changed', defaults, member)),
  ]
}

function limitOf({ rules }: SchemaNode): number {
  return (rules.get('maximum') as Bound | undefined)?.value ?? Number.POSITIVE_INFINITY
}

function countText(count: number): string {
  return Number.isFinite(count) ? String(count) : 'any number of'
}

function withoutSizes(node: SchemaNode): SchemaNode {
  const rules = new Map([...node.rules].filter(([keyword]) => keyword !== 'maximum' && keyword !== 'default'))
  return { ...node, rules }
}
