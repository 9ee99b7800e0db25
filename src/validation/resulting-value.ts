import type { AttributeSpec, ChildSpecs } from '../resource/fields/attribute-declaration.js'
import { isPlainObject } from '../util/frozen.js'
import { isWritableChild } from './writable-attributes.js'
import { canonicalJson } from './canonical-json.js'

/** What is stored of a field: itself, and as a client would read it. */
export interface StoredValue {
  readonly raw: unknown
  readonly wire: unknown
}

const nothing: StoredValue = Object.freeze({ raw: undefined, wire: undefined })

/**
 * The wire value of a field after a write: what is sent, laid over what is stored wherever the write keeps it. `undefined`
 * for a field that was not sent, and for one that is not there.
 */
export function resultingValue(spec: AttributeSpec, sent: unknown, stored: StoredValue): unknown {
  if (sent === undefined || isRepeated(sent, stored.wire)) return keptValue(spec, stored.wire)
  const children = childrenOf(spec, sent)
  if (children === null || !isPlainObject(sent)) return sent
  return resultingMembers(children, sent, keepsStored(spec, sent, stored.raw) ? stored : nothing)
}

/** Whether a client sends what it read: that changes nothing, not even where null is nothing that it may send. */
export function isRepeated(sent: unknown, wire: unknown): boolean {
  if (wire === undefined) return false
  return isScalar(sent) && isScalar(wire) ? sent === wire : canonicalJson(sent) === canonicalJson(wire)
}

/** What has the same JSON text as another only where the two are the same. */
function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/** The children of a composite value, `null` for what has none, or is of no variant. */
export function childrenOf(
  { kind, children, variants, discriminator }: AttributeSpec,
  value: unknown,
): ChildSpecs | null {
  if (!isPlainObject(value) || kind.children === 'none') return null
  if (kind.children !== 'variants') return children
  const variant = value[discriminator]
  return typeof variant === 'string' && Object.hasOwn(variants, variant) ? (variants[variant] ?? null) : null
}

/**
 * Whether a composite that is sent is merged over what is stored, so that some of its members will do. Not where nothing
 * is stored, where it was another variant, or where a function of the author's makes the stored value.
 */
export function keepsStored({ kind, deserialize, discriminator }: AttributeSpec, sent: object, raw: unknown): boolean {
  if (!isPlainObject(raw) || (deserialize !== null && kind.children !== 'columns')) return false
  return (
    kind.children !== 'variants' || raw[discriminator] === (sent as Readonly<Record<string, unknown>>)[discriminator]
  )
}

/** The children of a map are members of its owner, so a map in a map has the same owner. */
export function rawChild(name: string, child: AttributeSpec, owner: unknown): unknown {
  if (!isPlainObject(owner)) return undefined
  return child.kind.children === 'columns' ? owner : owner[child.storedAs ?? name]
}

function resultingMembers(
  children: ChildSpecs,
  sent: Readonly<Record<string, unknown>>,
  { raw, wire }: StoredValue,
): Readonly<Record<string, unknown>> {
  // What is not declared is not written either, but a rule of the whole may still refuse it.
  const undeclared = Object.entries(sent).filter(([name]) => !Object.hasOwn(children, name))
  const declared = Object.entries(children).map(([name, child]) => {
    const stored = { raw: rawChild(name, child, raw), wire: isPlainObject(wire) ? wire[name] : undefined }
    const value = isWritableChild(child) && Object.hasOwn(sent, name) ? sent[name] : undefined
    return [name, resultingValue(child, value, stored)] as const
  })
  return Object.fromEntries([...undeclared, ...declared.filter(([, value]) => value !== undefined)])
}

/** A stored null says that there is nothing, also where null is nothing that a client may send. */
function keptValue(spec: AttributeSpec, wire: unknown): unknown {
  if (wire === null) return isNullable(spec) ? null : undefined
  const children = childrenOf(spec, wire)
  if (children === null || !isPlainObject(wire)) return wire
  const members = Object.entries(wire).map(([name, value]) => {
    const child = Object.hasOwn(children, name) ? children[name] : undefined
    return [name, child === undefined ? value : keptValue(child, value)] as const
  })
  const kept = members.filter(([, value]) => value !== undefined)
  // A map is read as an object even where none of its columns holds anything.
  return kept.length === 0 && spec.kind.children === 'columns' ? undefined : Object.fromEntries(kept)
}

function isNullable({ constraints }: AttributeSpec): boolean {
  return constraints.some(({ kind, on }) => kind === 'nullable' && on === 'always')
}
