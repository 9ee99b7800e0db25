import type { JsonValue } from '../../../core/util/types.js'
import type { AttributeDeclaration } from './attribute-declaration.js'
import { attributeOf } from './attribute-declaration.js'
import type {
  BigintAttribute,
  BooleanAttribute,
  EmailAttribute,
  HashAttribute,
  IpAttribute,
  ListAttribute,
  MapAttribute,
  MomentAttribute,
  NoVariants,
  NumberAttribute,
  ObjectAttribute,
  OneOfAttribute,
  SlugAttribute,
  StringAttribute,
  UrlAttribute,
  UuidAttribute,
} from './attribute-types.js'
import type { Members, Variants } from './attribute-values.js'
import { bigintKind } from './bigint-kind.js'
import { dateKind, dateTimeKind, timeKind } from './moment-kind.js'
import type { Constraint } from './constraint.js'
import { rule } from './rule.js'
import {
  booleanKind,
  decimalKind,
  emailKind,
  hashKind,
  integerKind,
  ipKind,
  listKind,
  mapKind,
  objectKind,
  oneOfKind,
  slugKind,
  stringKind,
  urlKind,
  uuidKind,
} from './value-kind.js'

/**
 * The functions that declare attributes for rows `R`, one for each kind: the argument of `attributes`.
 *
 * @example
 * ```ts
 * const timestamps = (a: AttributeKit<{ createdAt: Date; updatedAt: Date }>) => ({
 *   createdAt: a.dateTime().readOnly(),
 *   updatedAt: a.dateTime().readOnly(),
 * })
 * ```
 */
export interface AttributeKit<R> {
  string(): StringAttribute<R, string, never, ''>
  email(): EmailAttribute<R, string, never, ''>
  url(): UrlAttribute<R, string, never, ''>
  uuid(): UuidAttribute<R, string, never, ''>
  slug(): SlugAttribute<R, string, never, ''>
  ip(): IpAttribute<R, string, never, ''>
  integer(): NumberAttribute<'integer', R, number, never, ''>
  /** A whole number of eight bytes, as a string of digits: `"9007199254740993"`. */
  bigint(): BigintAttribute<R, string, never, ''>
  decimal(): NumberAttribute<'decimal', R, number, never, ''>
  boolean(): BooleanAttribute<R, boolean, never, ''>
  /** An instant: ISO 8601 in, `2026-01-01T00:00:00+00:00` out. */
  dateTime(): MomentAttribute<'dateTime', R, string, never, ''>
  /** A day: `2026-01-01`. */
  date(): MomentAttribute<'date', R, string, never, ''>
  /** A time of day: `12:30:00`. */
  time(): MomentAttribute<'time', R, string, never, ''>
  /** A list. Its items are strings unless `of()` names another type. */
  arrayList(): ListAttribute<R, readonly string[], never, ''>
  /** An object with arbitrary keys in one stored value. */
  arrayHash(): HashAttribute<R, { readonly [key: string]: JsonValue }, never, ''>
  /** An object with declared keys, each a column of the row. */
  map(): MapAttribute<R, Members<Readonly<Record<never, never>>>, never, ''>
  /** An object with declared keys in one stored value. */
  object(): ObjectAttribute<R, Members<Readonly<Record<never, never>>>, never, ''>
  /** One of several object types, distinguished by a member, in one stored value. */
  oneOf(): OneOfAttribute<R, Variants<'type', NoVariants>, never, ''>
}

type Kit = { readonly [Name in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

/** Called once for each format, because a validator compiles each schema object once. */
const formatConstraints = (constraint: Constraint): readonly Constraint[] => Object.freeze([constraint])
const emailFormat = formatConstraints(rule.email())
const urlFormat = formatConstraints(rule.url())
const uuidFormat = formatConstraints(rule.uuid())
const slugFormat = formatConstraints(rule.slug())
const ipFormat = formatConstraints(rule.ip())

const kit: Kit = Object.freeze<Kit>({
  string: () => attributeOf(stringKind),
  email: () => attributeOf(emailKind, emailFormat),
  url: () => attributeOf(urlKind, urlFormat),
  uuid: () => attributeOf(uuidKind, uuidFormat),
  slug: () => attributeOf(slugKind, slugFormat),
  ip: () => attributeOf(ipKind, ipFormat),
  integer: () => attributeOf(integerKind),
  bigint: () => attributeOf(bigintKind),
  decimal: () => attributeOf(decimalKind),
  boolean: () => attributeOf(booleanKind),
  dateTime: () => attributeOf(dateTimeKind),
  date: () => attributeOf(dateKind),
  time: () => attributeOf(timeKind),
  arrayList: () => attributeOf(listKind),
  arrayHash: () => attributeOf(hashKind),
  map: () => attributeOf(mapKind),
  object: () => attributeOf(objectKind),
  oneOf: () => attributeOf(oneOfKind),
})

/** Returns the kit for rows `R`. All row types share one object, because they differ for the compiler only. */
export function attributeKit<R>(): AttributeKit<R> {
  return kit as unknown as AttributeKit<R>
}
