import type { AttributeSpec, ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { isWritableChild } from './writable-attributes.js'
import { canonicalJson } from './canonical-json.js'

/** The stored value of a field: not serialized, and as a client reads it. */
export interface StoredValue {
  readonly raw: unknown
  readonly wire: unknown
}

const noStoredValue: StoredValue = Object.freeze({ raw: undefined, wire: undefined })

/**
 * Returns the wire value of a field after a write: the sent value, merged over the stored one if the write does not
 * replace it. Returns `undefined` if the field has no value.
 *
 * @param sent `undefined` if the client did not send the field
 */
export function resultingValue(spec: AttributeSpec, sent: unknown, stored: StoredValue): unknown {
  if (sent === undefined || isSentBack(sent, stored.wire)) return unchangedValue(spec, stored.wire)
  const children = childrenOf(spec, sent)
  if (children === null || !isPlainObject(sent)) return sent
  return resultingMembers(children, sent, isMergedOverStored(spec, sent, stored.raw) ? stored : noStoredValue)
}

/**
 * Whether a client sends back the value that it read. That changes nothing, even if the value is a null that the client
 * may not send otherwise.
 */
export function isSentBack(sent: unknown, wire: unknown): boolean {
  if (wire === undefined) return false
  if (isScalar(sent) && isScalar(wire)) return sent === wire
  // Most lists differ early. The JSON texts of long lists would be made in one slice of the event loop.
  if (Array.isArray(sent) && Array.isArray(wire)) {
    return sent.length === wire.length && sent.every((item, index) => isSentBack(item, wire[index] ?? null))
  }
  return canonicalJson(sent) === canonicalJson(wire)
}

/** Whether a value can be compared with `===` instead of by its JSON text. */
function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/** Returns the children of a composite value; `null` if it has none or its variant is unknown. */
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
 * Whether a sent composite is merged over the stored one, so that the client may send only some of its members. It is
 * not merged if nothing is stored, if the stored value is of another variant, or if a user-defined function makes the
 * stored value.
 */
export function isMergedOverStored(
  { kind, deserialize, discriminator }: AttributeSpec,
  sent: object,
  raw: unknown,
): boolean {
  if (!isPlainObject(raw) || (deserialize !== null && kind.children !== 'columns')) return false
  return (
    kind.children !== 'variants' || raw[discriminator] === (sent as Readonly<Record<string, unknown>>)[discriminator]
  )
}

/**
 * Returns the stored value of a child. The children of a map are columns of its owner, so a map in a map has that
 * owner.
 */
export function rawChild(name: string, child: AttributeSpec, owner: unknown): unknown {
  if (!isPlainObject(owner)) return undefined
  return child.kind.children === 'columns' ? owner : owner[child.storedAs ?? name]
}

function resultingMembers(
  children: ChildSpecs,
  sent: Readonly<Record<string, unknown>>,
  { raw, wire }: StoredValue,
): Readonly<Record<string, unknown>> {
  // Undeclared members are not written, but a rule of the whole object may still refuse them.
  const undeclared = Object.entries(sent).filter(([name]) => !Object.hasOwn(children, name))
  const declared = Object.entries(children).map(([name, child]) => {
    const stored = { raw: rawChild(name, child, raw), wire: isPlainObject(wire) ? wire[name] : undefined }
    const value = isWritableChild(child) && Object.hasOwn(sent, name) ? sent[name] : undefined
    return [name, resultingValue(child, value, stored)] as const
  })
  return Object.fromEntries([...undeclared, ...declared.filter(([, value]) => value !== undefined)])
}

/** Returns the wire value of a field that stays stored. A stored null is no value, unless a client may send null. */
function unchangedValue(spec: AttributeSpec, wire: unknown): unknown {
  if (wire === null) return isNullable(spec) ? null : undefined
  const children = childrenOf(spec, wire)
  if (children === null || !isPlainObject(wire)) return wire
  const members = Object.entries(wire).map(([name, value]) => {
    const child = Object.hasOwn(children, name) ? children[name] : undefined
    return [name, child === undefined ? value : unchangedValue(child, value)] as const
  })
  const present = members.filter(([, value]) => value !== undefined)
  // A map is read as an object even if all of its columns are empty, and then has no value.
  return present.length === 0 && spec.kind.children === 'columns' ? undefined : Object.fromEntries(present)
}

function isNullable({ constraints }: AttributeSpec): boolean {
  return constraints.some(({ kind, on }) => kind === 'nullable' && on === 'always')
}
