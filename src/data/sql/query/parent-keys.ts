import { keyColumns, keyReader } from '../../../resource/key-columns.js'
import { keyText } from '../../../row-query/key-text.js'
import type { Row, RowSet } from '../../../rows/row-set.js'
import { invariant } from '../../../util/invariant.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { areEqual } from '../statement/row-value.js'
import { comparedColumn } from './compared-column.js'
import { boundList, listValue } from './list-values.js'
import type { RelatedSource } from './related-source.js'
import { bind } from './sql-parts.js'
import type { SqlPart, StatementBuild } from './statement-build.js'

/** The keys by which parents find the members of one type. */
export interface ParentKeys {
  /** The key of each parent as text, in the order of the parents; `null` for a parent without members of the type. */
  readonly ofParent: readonly (string | null)[]
  /** The keys without duplicates, in the form in which they are compared. */
  readonly distinct: readonly Operand[]
}

export function parentKeys({ columns, rows }: RowSet, source: RelatedSource, dialect: SqlDialect): ParentKeys {
  const type = columns.indexOf(source.ownerTypeColumn ?? '')
  const missing = keyColumns(source.ownerColumn).find((column) => !columns.includes(column))
  invariant(missing === undefined, `the rows of the parents have no column '${missing}'`)
  const keyOf = keyReader(columns, source.ownerColumn)
  const { operand } = comparedColumn(source.link, { kind: null, isKey: true }, dialect)
  const distinct = new Map<string, Operand>()
  const ofParent = rows.map((row) => {
    const isOfType = source.ownerTypeColumn === null || keyText(row[type]) === source.type.storedType
    const key = keyOf(row)
    const text = isOfType ? keyText(key) : null
    if (text === null || distinct.has(text)) return text
    const found = operand(key)
    if (found === null) return null
    distinct.set(text, found)
    return text
  })
  return { ofParent, distinct: [...distinct.values()] }
}

/**
 * Returns a function that reads the text of the parent's key from a row of the driver.
 *
 * @param positions the positions of the columns of the link
 */
export function linkReader({ link }: RelatedSource, positions: readonly number[]): (row: Row) => string | null {
  const [position = -1] = positions
  if (link.parts === undefined) {
    const textOf = linkText(link)
    return (row) => textOf(row[position])
  }
  const decoders = link.parts.map(({ codec }) => codec.decode)
  return (row) =>
    keyText(
      positions.map((each, index) => {
        const [stored, decode] = [row[each], decoders[index] ?? null]
        return stored === null || decode === null ? stored : decode(stored)
      }),
    )
}

function linkText({ codec, mapping }: SqlColumn): (stored: unknown) => string | null {
  const { decode } = codec
  return mapping === null || decode === null ? keyText : (stored) => keyText(stored === null ? stored : decode(stored))
}

/** Returns a condition for the rows that belong to one of the parents. */
export function readParents({ distinct }: ParentKeys, source: RelatedSource, build: StatementBuild): SqlPart {
  const [only, ...others] = distinct
  invariant(only !== undefined, 'members were requested without parents')
  if (others.length === 0) {
    const bound = bind(only, build)
    build.shape.addKeyPart('of one')
    return (at) => areEqual(source.linkIn(at), bound(), build.dialect.can)
  }
  const list = boundList(distinct, build)
  return (at) => list.contains(source.linkIn(at))
}

/** Returns the parameter value for the keys of the parents: a single key, or a list. */
export function parentsValue({ distinct }: ParentKeys, dialect: SqlDialect): unknown {
  const [only, ...others] = distinct
  return others.length === 0 ? only?.value : listValue(distinct, dialect)
}
