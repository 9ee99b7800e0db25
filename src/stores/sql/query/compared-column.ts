import type { RawBuilder } from 'kysely'
import type { ComparedAs } from '../../../declare/resource/fields/value-kind.js'
import type { QueryColumn, StoredTexts } from '../../../declare/resource/querying/row-condition.js'
import { compareDecimals, decimalText } from '../../row-query/decimal.js'
import { keyText } from '../../row-query/key-text.js'
import { comparableOf } from '../../row-query/stored-value.js'
import { memoize } from '../../../core/util/memoize.js'
import { RawStored } from '../../../core/util/raw-stored.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { ColumnType } from '../schema/column-type.js'
import { defaultComparison, momentTypes, numericTypes } from '../schema/column-type.js'
import { inNotation } from '../schema/instant-notation.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { rowOperand } from './statement-build.js'

/** How the values of a column are compared with others. */
export interface ComparedColumn {
  readonly as: ComparedAs | 'key'
  /** A part of the cache key of the statement: everything that the text of the comparison depends on. */
  readonly name: string
  /** Whether the stored values are compared without a conversion. A value that cannot be converted counts as null. */
  readonly isDirect: boolean
  /** Whether the day of an instant is compared. */
  readonly shownDay: boolean
  /** Whether a day, or the text that the database displays, is compared instead of the stored value. */
  readonly isConverted: boolean
  /** Whether numbers are compared as doubles, because attributes show them as doubles. */
  readonly isRounded: boolean
  /** How values with more digits than are shown are compared for equality; `null` if the column has no such values. */
  readonly shownDigits: ShownDigits | null
  /** Whether a rule or a scope compares the column: a value without an operand meets no comparison, negated or not. */
  readonly isAsStored: boolean
  /**
   * Returns the value to compare with; `null` if no value of the column can be compared with it.
   *
   * @param forOrder whether the values are compared by size, and not only for equality
   */
  readonly operand: (value: unknown, forOrder?: boolean) => Operand | null
  /** Returns the expression that is compared, for a reference to the column. */
  read(reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown>
  /** Returns the expression for orders and ranges: text is compared by code points. */
  inOrder(reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown>
}

type QueriedAs = Pick<QueryColumn, 'kind' | 'isKey' | 'asStored'>

/**
 * Keys, and columns in rules, are compared as they are stored, other values by the kind of their attribute, or else by the
 * type of the column.
 * Memoized, since every condition of every request needs it. A column belongs to a store, which has one engine.
 */
export function comparedColumn(column: SqlColumn, queried: QueriedAs, dialect: SqlDialect): ComparedColumn {
  const known = comparisonsOf(column)[queried.isKey ? 'asKey' : 'asValue']
  const { kind, asStored = kind } = queried
  const found = known.get(asStored)
  if (found !== undefined) return found
  const compared = newComparedColumn(column, queried, dialect)
  if (known.size < MAX_KINDS) known.set(asStored, compared)
  return compared
}

/** The maximum number of cached kinds of a column. Each is an object of a declaration, and a column has few. */
const MAX_KINDS = 100

const comparisonsOf = memoize((_column: SqlColumn) => ({
  asKey: new Map<QueryColumn['kind'] | StoredTexts, ComparedColumn>(),
  asValue: new Map<QueryColumn['kind'] | StoredTexts, ComparedColumn>(),
}))

function newComparedColumn(
  column: SqlColumn,
  { kind, isKey, asStored }: QueriedAs,
  dialect: SqlDialect,
): ComparedColumn {
  if (column.parts !== undefined) return comparedKey(column, column.parts, dialect)
  const { notation } = column
  const { can, spell, values } = dialect
  const isAsStored = asStored !== undefined && !isKey
  const basis = isAsStored ? storedBasis(column, asStored, dialect) : shownBasis(column, { kind, isKey })
  const { as, isUniform } = basis
  // A date shows the day of an instant.
  const isDay = as === 'moment' && kind?.storageType === 'date' && instants.has(column.type)
  const type = isDay ? 'date' : basis.type
  const isRounded = as !== 'key' && (kind?.isRounded ?? false)
  const read = (reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown> =>
    isDay ? values.dayIn(reference, column.type) : values.readAs[as](reference, { type, isUniform, fine })
  const isText = as === 'text' || as === 'json' || (isKey && textual.has(type))
  const isMapped = as !== 'json' && column.mapping?.fromRow !== undefined
  const isExact = type === 'text' && isUniform
  const collates = isText && !(can.typeUuids && type === 'uuid')
  // Instants in a column of texts are written in its notation, if they are compared without a conversion.
  const isInNotation = type === 'instant' && as !== 'number' && !can.typeColumns && (isUniform || isKey)
  return {
    as,
    name: `${JSON.stringify(column.name)} ${basis.type} ${as} ${isUniform}${isAsStored ? ' stored' : ''}${isDay ? ' day' : ''}${kind?.isRounded === true ? ' rounded' : ''}`,
    isDirect: !isDay && isComparedDirectly(basis),
    shownDay: isDay,
    isConverted: isDay || (as === 'text' && type !== 'text' && type !== 'uuid'),
    isRounded,
    shownDigits: isDay ? null : shownDigits(column, as, kind),
    isAsStored,
    operand: (value, forOrder = false) => {
      if (value instanceof RawStored) return can.typeColumns ? null : { value: value.value, type: null, fine: false }
      if (isRounded && as === 'number' && !can.typeColumns && typeof value === 'number' && Math.abs(value) >= 2 ** 53)
        return { value, type: null, fine: true }
      const stored = isMapped ? storedValue(column, value, isKey) : value
      if (isAsStored && !isComparableAsStored(stored, { as, type, dialect, forOrder })) return null
      const operand = values.operands[as](stored, type)
      if (typeof operand?.value !== 'string' || !isInNotation) return operand
      return { ...operand, value: inNotation(operand.value, notation) }
    },
    read,
    inOrder: (reference, fine) =>
      collates ? spell.byCodePoints(read(reference, fine), isExact) : read(reference, fine),
  }
}

const instants: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp'])

/** How a stored value with more digits than are shown equals a shown one: within a millisecond, or as a double. */
type ShownDigits = 'milliseconds' | 'double'

function shownDigits(
  { type, isFiner, readAsText }: SqlColumn,
  as: ComparedColumn['as'],
  kind: QueryColumn['kind'],
): ShownDigits | null {
  // The ISO text of an instant has all its digits.
  if (!isFiner || (readAsText?.form === 'iso' && kind === null)) return null
  if (as === 'moment') return 'milliseconds'
  return as === 'number' && kind?.isRounded === true && (type === 'decimal' || type === 'bigint') ? 'double' : null
}

/** Compares a composite key as a row value. Its operand is one parameter: a JSON list of the operands of its columns. */
function comparedKey(column: SqlColumn, parts: readonly SqlColumn[], dialect: SqlDialect): ComparedColumn {
  const compared = parts.map((part) => comparedColumn(part, { kind: null, isKey: true }, dialect))
  return {
    as: 'key',
    name: `(${compared.map(({ name }) => name).join(', ')}) ${column.nullable}`,
    isDirect: true,
    shownDay: false,
    isConverted: false,
    isRounded: false,
    shownDigits: null,
    isAsStored: false,
    operand: (key) => compositeOperand(key, compared),
    read: (reference) => reference,
    inOrder: (reference) => reference,
  }
}

function compositeOperand(key: unknown, compared: readonly ComparedColumn[]): Operand | null {
  if (!Array.isArray(key) || key.length !== compared.length) return null
  const parts = compared.map(({ operand }, index) => operand(key[index]))
  // No day of a date column is equal to a moment with a time.
  return parts.every((each) => each !== null && !each.fine) ? rowOperand(parts as readonly Operand[]) : null
}

/**
 * Returns the stored form of a row value; `null` if the mapping throws, or if a key would be read back as another key.
 */
function storedValue({ mapping }: SqlColumn, value: unknown, isKey: boolean): unknown {
  if (mapping?.fromRow === undefined || value === null || value === undefined) return value
  try {
    const stored = mapping.fromRow(value)
    return isKey && keyText(mapping.toRow(stored)) !== keyText(value) ? null : stored
  } catch {
    return null
  }
}

const textual: ReadonlySet<ColumnType> = new Set(['text', 'other'])

/** The class in which a column is compared, and how its values are stored. */
interface ComparisonBasis {
  readonly as: ComparedAs | 'key'
  readonly type: ColumnType
  readonly isUniform: boolean
}

/** Returns how a column is compared with values that attributes show, or as a key. */
function shownBasis({ type, isUniform }: SqlColumn, { kind, isKey }: QueriedAs): ComparisonBasis {
  return { as: isKey ? 'key' : (kind?.comparedAs ?? defaultComparison(type)), type, isUniform }
}

/**
 * Returns how rules and scopes compare a column: by the type that the model declares, or else by the type in the database.
 * Attributes decide only what texts mean, and whether numbers are booleans.
 */
function storedBasis(
  { type, storedType, declaredType, isUniform }: SqlColumn,
  texts: StoredTexts,
  { can }: SqlDialect,
): ComparisonBasis {
  if (declaredType !== null) {
    // A typed column is compared by its type in the database. A model may declare what its texts are, and that numbers are booleans.
    const isByModel = !can.typeColumns || storedType === 'text' || declaredType === 'boolean'
    return { as: defaultComparison(isByModel ? declaredType : type), type, isUniform }
  }
  const isBoolean = numericTypes.has(storedType) && texts === 'boolean'
  if (can.typeColumns) {
    const as = storedType === 'text' || isBoolean ? texts : defaultComparison(storedType)
    return { as, type: storedType, isUniform }
  }
  // SQLite stores any value in any column, and its names of types say little: texts and moments are parsed. The attributes
  // decide about a column whose name of type leaves a choice.
  if (type === 'json' || type === 'list') return { as: 'json', type, isUniform }
  const isChosen = (loose.has(storedType) || isBoolean) && texts !== 'text'
  const as = isChosen ? texts : defaultComparison(storedType)
  if (as === 'moment') return { as, type: 'instant', isUniform: false }
  return { as, type: storedType, isUniform: storedType !== 'other' }
}

/** The types of SQLite whose columns may hold texts, numbers and moments. */
const loose: ReadonlySet<ColumnType> = new Set(['text', 'other', 'boolean', 'instant', 'timestamp', 'date', 'time'])

interface StoredValueUse extends Pick<ComparisonBasis, 'as' | 'type'> {
  readonly dialect: SqlDialect
  /** Whether values are compared by size, and not only for equality. */
  readonly forOrder: boolean
}

/** Returns whether the database compares a value with those of a column exactly, without a conversion that loses anything. */
function isComparableAsStored(value: unknown, { as, type, dialect, forOrder }: StoredValueUse): boolean {
  switch (as) {
    case 'number':
      return typeof value === 'number' ? Number.isFinite(value) : isExactNumber(value, type, dialect)
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

/** Returns whether a text or a bigint is a number that the parameter of a statement represents with all its digits. */
function isExactNumber(value: unknown, type: ColumnType, dialect: SqlDialect): boolean {
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
function isComparedDirectly({ as, type, isUniform }: ComparisonBasis): boolean {
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
