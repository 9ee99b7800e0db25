import type { CompiledAttribute } from '../compiled/compiled-type.js'
import type { AttributeSpec, ChildSpecs } from '../fields/attribute-declaration.js'
import { itemTypeOf, itemTypes } from '../fields/item-types.js'
import { allowsNullItems } from '../fields/null-items.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { describeStored } from './describe-stored.js'

/**
 * Thrown for a column value that the kind of the attribute cannot show, so that the resource is written without the
 * attribute. The writer of the resource adds its type and id.
 */
export class UnshownValue extends Error {
  readonly attribute: string
  readonly problem: string
  readonly remedy: string

  constructor(attribute: string, problem: string, remedy: string) {
    super(problem)
    this.attribute = attribute
    this.problem = problem
    this.remedy = remedy
  }
}

/** Returns the error for the log of a member of a relation whose join row has a value that cannot be shown. */
export function unshownInJoin(relation: string, id: string, { attribute, problem, remedy }: UnshownValue): Error {
  return new Error(
    `The member '${id}' of '${relation}' is shown without 'meta.pivot.${attribute}': ${problem}. ${remedy}`,
  )
}

/** Returns the error for the log: it names the type, the id, the column and a remedy. */
export function unshownIn(type: string, id: string, { attribute, problem, remedy }: UnshownValue): Error {
  return new Error(`The resource '${id}' of '${type}' is shown without '${attribute}': ${problem}. ${remedy}`)
}

/**
 * Returns a function that checks a wire value of an attribute and returns it. Throws if a store held a value that the
 * kind cannot show, such as `NaN`: a replacement could not be sent back, and no filter would find it.
 * Values that user-defined functions return are not checked.
 */
export function shownValue({ name, spec, valueColumn }: CompiledAttribute): (wire: unknown) => unknown {
  if (spec.serialize !== null || spec.extract !== null) return (wire) => wire
  const isShown = shownBy(spec)
  return (wire) => {
    if (wire !== null && !isShown(wire))
      throw unshown(name, unshownPart(spec, spec.on === null ? (valueColumn ?? name) : (spec.storedAs ?? name), wire))
    return wire
  }
}

type IsShown = (wire: unknown) => boolean

function shownBy(spec: AttributeSpec): IsShown {
  const { kind } = spec
  if (kind.children === 'columns') return membersShown(spec.children)
  return kind.families.includes('list') ? listShown(spec) : (wire) => kind.isWireValue(wire)
}

/** Returns a test for lists: each item must be one that a client may write. `of()` declares the kind of the items. */
function listShown(spec: AttributeSpec): IsShown {
  const { kind, items, constraints } = spec
  const types = items === null ? itemTypes(constraints) : null
  const mayBeNull = allowsNullItems(spec)
  const isItem = (item: unknown): boolean => {
    if (item === null) return mayBeNull
    const type = types === null ? null : itemTypeOf(item)
    return types === null || (type !== null && types.has(type))
  }
  return (wire) => kind.isWireValue(wire) && (wire as readonly unknown[]).every(isItem)
}

/** Returns a test for maps: each member is the value of a column. */
function membersShown(children: ChildSpecs): IsShown {
  const members = columnsOf(children).map(([name, child]) => [name, shownBy(child)] as const)
  return (wire) => !isPlainObject(wire) || members.every(([name, isShown]) => isShownOrNull(isShown, wire[name]))
}

/** Returns the children that are stored in a column, without those of user-defined functions. */
function columnsOf(children: ChildSpecs): readonly (readonly [name: string, child: AttributeSpec])[] {
  return Object.entries(children).filter(([, { serialize, extract }]) => serialize === null && extract === null)
}

function isShownOrNull(isShown: IsShown, value: unknown): boolean {
  return value === null || value === undefined || isShown(value)
}

/** A column with a value that cannot be shown. */
interface UnshownPart {
  readonly spec: AttributeSpec
  readonly column: string
  readonly wire: unknown
}

/** Returns the column of a value that cannot be shown: of a map, the column of its member. */
function unshownPart(spec: AttributeSpec, column: string, wire: unknown): UnshownPart {
  if (spec.kind.children === 'columns' && isPlainObject(wire)) {
    for (const [name, child] of columnsOf(spec.children)) {
      if (!isShownOrNull(shownBy(child), wire[name])) return unshownPart(child, child.storedAs ?? name, wire[name])
    }
  }
  return { spec, column, wire }
}

function unshown(name: string, { spec: { kind }, column, wire }: UnshownPart): UnshownValue {
  const problem = `the column '${column}' holds ${describeStored(wire)}, which the kind ${kind.name}() cannot show`
  return new UnshownValue(name, problem, `Correct the row, or ${kind.alternative(wire)}.`)
}
