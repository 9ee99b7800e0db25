import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import type { QueryColumn, StoredTexts } from '../../../resource/querying/row-condition.js'
import { compareDecimals, decimalText } from '../../../row-query/decimal.js'
import { comparableOf } from '../../../row-query/stored-value.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { ColumnType } from '../schema/column-type.js'
import { defaultComparison, momentTypes, numericTypes } from '../schema/column-type.js'
import type { SqlColumn } from '../schema/sql-table.js'

/** The class in which a column is compared, and how its values are stored. */
export interface ComparisonBasis {
  readonly as: ComparedAs | 'key'
  readonly type: ColumnType
  readonly isUniform: boolean
  /** Whether a rule or a scope compares the column. */
  readonly isAsStored: boolean
}

/** Returns how a column is compared with values that attributes show, or as a key. */
export function shownBasis(
  { type, isUniform }: SqlColumn,
  { kind, isKey }: Pick<QueryColumn, 'kind' | 'isKey'>,
): ComparisonBasis {
  const as = isKey ? 'key' : (kind?.comparedAs ?? defaultComparison(type))
  return { as, type, isUniform, isAsStored: false }
}

/**
 * Returns how rules and scopes compare a column: by the type that the model declares, or else by the type in the database.
 * Attributes decide only what texts mean, and whether numbers are booleans.
 */
export function storedBasis(column: SqlColumn, texts: StoredTexts, dialect: SqlDialect): ComparisonBasis {
  const { declaredType } = column
  if (declaredType !== null) return declaredBasis(column, declaredType, dialect)
  return dialect.can.typeColumns ? typedBasis(column, texts) : looseBasis(column, texts)
}

/** A typed column is compared by its type in the database. A model may declare what its texts are, and that numbers are booleans. */
function declaredBasis(
  { type, storedType, isUniform }: SqlColumn,
  declared: ColumnType,
  dialect: SqlDialect,
): ComparisonBasis {
  const isByModel = !dialect.can.typeColumns || storedType === 'text' || declared === 'boolean'
  return { as: defaultComparison(isByModel ? declared : type), type, isUniform, isAsStored: true }
}

function typedBasis({ storedType: type }: SqlColumn, texts: StoredTexts): ComparisonBasis {
  const as =
    type === 'text' ? texts : numericTypes.has(type) && texts === 'boolean' ? 'boolean' : defaultComparison(type)
  return { as, type, isUniform: true, isAsStored: true }
}

/**
 * SQLite stores any value in any column, and its names of types say little: texts and moments are parsed. The attributes
 * decide about a column whose name of type leaves a choice.
 */
function looseBasis({ type, storedType, isUniform }: SqlColumn, texts: StoredTexts): ComparisonBasis {
  if (type === 'json' || type === 'list') return { as: 'json', type, isUniform, isAsStored: true }
  const isChosen = loose.has(storedType) || (numericTypes.has(storedType) && texts === 'boolean')
  const as = isChosen && texts !== 'text' ? texts : defaultComparison(storedType)
  if (as === 'moment') return { as, type: 'instant', isUniform: false, isAsStored: true }
  return { as, type: storedType, isUniform: storedType !== 'other', isAsStored: true }
}

/** The types of SQLite whose columns may hold texts, numbers and moments. */
const loose: ReadonlySet<ColumnType> = new Set(['text', 'other', 'boolean', 'instant', 'timestamp', 'date', 'time'])

interface StoredValueUse extends Pick<ComparisonBasis, 'as' | 'type'> {
  readonly dialect: SqlDialect
  /** Whether values are compared by size, and not only for equality. */
  readonly forOrder: boolean
}

/** Returns whether the database compares a value with those of a column exactly, without a conversion that loses anything. */
export function isComparableAsStored(value: unknown, { as, type, dialect, forOrder }: StoredValueUse): boolean {
  switch (as) {
    case 'number':
      return isExactNumber(value, type, dialect)
    case 'boolean':
      return typeof value === 'boolean' || value === 0 || value === 1 || value === 0n || value === 1n
    case 'moment':
      return (value instanceof Date || typeof value === 'string') && momentOf(value) instanceof Date
    case 'text':
      // The database orders the values of types that are shown as text by rules of its own.
      if (type === 'bytes' || (forOrder && type === 'other')) return false
      return typeof value === 'string' || (!forOrder && (typeof value === 'bigint' || Number.isFinite(value)))
    default:
      return !forOrder
  }
}

const momentOf = comparableOf({ comparedAs: 'moment' })
const numberOf = comparableOf({ comparedAs: 'number' })

/** Returns whether a value is a number that the parameter of a statement represents with all its digits. */
function isExactNumber(value: unknown, type: ColumnType, dialect: SqlDialect): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  const text = decimalText(value)
  if (text === null) return false
  // A parameter of a typed column has all digits of a text.
  if (dialect.can.typeColumns && type === 'decimal' && typeof value === 'string' && /^-?[\d.]+$/.test(value))
    return true
  const number = numberOf(value)
  const isDouble = type === 'number' || type === 'real'
  const bound = decimalText(isDouble && typeof number === 'bigint' ? Number(number) : number)
  return bound !== null && compareDecimals(bound, text) === 0
}

/** Returns whether a column is compared without a conversion. Otherwise some of its values may not be convertible. */
export function isComparedDirectly(
  as: ComparedAs | 'key',
  { type, isUniform }: Pick<ComparisonBasis, 'type' | 'isUniform'>,
): boolean {
  switch (as) {
    case 'number':
      return numericTypes.has(type) && (isUniform || type === 'decimal')
    case 'boolean':
      return type !== 'text'
    case 'moment':
      return momentTypes.has(type) && isUniform
    default:
      return true
  }
}
