import { sql } from 'kysely'
import type { RowSet } from '../../../rows/row-set.js'
import { invariant } from '../../../util/invariant.js'
import { keyText } from '../../../row-query/key-text.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { Operand } from './operands.js'
import { comparedColumn } from './compared-column.js'
import { boundList, listValue } from './list-values.js'
import { bind } from './written-parts.js'
import type { Reach } from './reach.js'
import type { SqlReading, SqlPart } from './sql-reading.js'

/** The keys by which parents find the members of one type. */
export interface ParentKeys {
  /** The text of each parent's key, in their order; `null` for a parent that has no members of the type. */
  readonly ofParent: readonly (string | null)[]
  /** Each key once, as it is compared. */
  readonly distinct: readonly Operand[]
}

export function parentKeys({ columns, rows }: RowSet, reach: Reach, engine: EngineName): ParentKeys {
  const [key, type] = [columns.indexOf(reach.ownerColumn), columns.indexOf(reach.ownerTypeColumn ?? '')]
  invariant(key !== -1, `parents came without the column '${reach.ownerColumn}'`)
  const { operand } = comparedColumn(reach.link, { kind: null, isKey: true }, engine)
  const distinct = new Map<string, Operand>()
  const ofParent = rows.map((row) => {
    const isOfType = reach.ownerTypeColumn === null || keyText(row[type]) === reach.type.type
    const text = isOfType ? keyText(row[key]) : null
    if (text === null || distinct.has(text)) return text
    const found = operand(row[key])
    if (found === null) return null
    distinct.set(text, found)
    return text
  })
  return { ofParent, distinct: [...distinct.values()] }
}

/** Reads the text of a parent's key from what links a row to it. */
export function linkText({ link: { codec, mapping } }: Reach): (held: unknown) => string | null {
  const { decode } = codec
  return mapping === null || decode === null ? keyText : (held) => keyText(held === null ? held : decode(held))
}

/** The rows that belong to one of the parents. */
export function readParents({ distinct }: ParentKeys, reach: Reach, reading: SqlReading): SqlPart {
  const [only, ...others] = distinct
  invariant(only !== undefined, 'members of nobody were asked for')
  if (others.length === 0) {
    const bound = bind(only, reading)
    reading.shape.addKeyPart('of one')
    return (at) => sql`${reach.linkIn(at)} = ${bound()}`
  }
  const list = boundList(distinct, reading)
  return (at) => list.contains(reach.linkIn(at))
}

/** What is bound for the keys of parents: one, or all of them as one. */
export function parentsValue({ distinct }: ParentKeys, engine: EngineName): unknown {
  const [only, ...others] = distinct
  return others.length === 0 ? only?.value : listValue(distinct, engine)
}
