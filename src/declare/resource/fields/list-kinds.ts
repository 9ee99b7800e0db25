import { bigintKind } from './bigint-kind.js'
import type { ValueKind } from './value-kind.js'
import { booleanKind, decimalKind, integerKind, listKind, stringKind } from './value-kind.js'

/** The item types that `of()` takes. */
export type ListItem = 'string' | 'integer' | 'bigint' | 'number' | 'boolean'

/** The kinds of the items of lists. Items are stored in their wire form, because JSON has no `bigint`. */
export const itemKinds: Readonly<Record<ListItem, ValueKind>> = Object.freeze({
  string: stringKind,
  integer: integerKind,
  bigint: bigintKind,
  number: decimalKind,
  boolean: booleanKind,
})

/** Texts among other items: a number in a JSON list is not converted to text, because the text would be a different item. */
const itemTexts: ValueKind = Object.freeze({ ...stringKind, read: (stored: unknown) => stored })

/** The kinds of lists by the type of their items. Null items are checked by the rules of the attribute. */
export const listKinds: ReadonlyMap<ListItem, ValueKind> = new Map(
  (Object.keys(itemKinds) as ListItem[]).map((item) => [item, listOf(item === 'string' ? itemTexts : itemKinds[item])]),
)

function listOf(items: ValueKind): ValueKind {
  return Object.freeze({
    ...listKind,
    isRounded: items.isRounded,
    read(stored: unknown) {
      const list = listKind.read(stored)
      return Array.isArray(list) ? list.map((item: unknown) => (item === null ? null : items.read(item))) : list
    },
    isWireValue: (value: unknown) =>
      Array.isArray(value) && value.every((item: unknown) => item === null || items.isWireValue(item)),
  })
}
