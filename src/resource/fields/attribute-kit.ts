import type { JsonValue } from '../../util/types.js'
import type { AttributeDeclaration } from './attribute-declaration.js'
import { attributeOf } from './attribute-declaration.js'
import type {
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

/** The attribute kinds over rows `R`. */
export interface AttributeKit<R> {
  string(): StringAttribute<R, string, never, ''>
  email(): EmailAttribute<R, string, never, ''>
  url(): UrlAttribute<R, string, never, ''>
  uuid(): UuidAttribute<R, string, never, ''>
  slug(): SlugAttribute<R, string, never, ''>
  ip(): IpAttribute<R, string, never, ''>
  integer(): NumberAttribute<'integer', R, number, never, ''>
  decimal(): NumberAttribute<'decimal', R, number, never, ''>
  boolean(): BooleanAttribute<R, boolean, never, ''>
  /** An instant: ISO 8601 in, `2026-01-01T00:00:00+00:00` out. */
  dateTime(): MomentAttribute<'dateTime', R, string, never, ''>
  /** A day: `2026-01-01`. */
  date(): MomentAttribute<'date', R, string, never, ''>
  /** A time of day: `12:30:00`. */
  time(): MomentAttribute<'time', R, string, never, ''>
  /** A list, of strings unless `of()` says otherwise. */
  arrayList(): ListAttribute<R, readonly string[], never, ''>
  /** An object with open keys in one stored value. */
  arrayHash(): HashAttribute<R, { readonly [key: string]: JsonValue }, never, ''>
  /** An object with declared keys, each a column of the row. */
  map(): MapAttribute<R, Members<Readonly<Record<never, never>>>, never, ''>
  /** An object with declared keys in one stored value. */
  object(): ObjectAttribute<R, Members<Readonly<Record<never, never>>>, never, ''>
  /** One of several objects, told apart by a member, in one stored value. */
  oneOf(): OneOfAttribute<R, Variants<'type', NoVariants>, never, ''>
}

type Kit = { readonly [Name in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

/** Made once: a validator compiles each schema object once. */
const form = (constraint: Constraint): readonly Constraint[] => Object.freeze([constraint])
const emailForm = form(rule.email())
const urlForm = form(rule.url())
const uuidForm = form(rule.uuid())
const slugForm = form(rule.slug())
const ipForm = form(rule.ip())

const kit: Kit = Object.freeze<Kit>({
  string: () => attributeOf(stringKind),
  email: () => attributeOf(emailKind, emailForm),
  url: () => attributeOf(urlKind, urlForm),
  uuid: () => attributeOf(uuidKind, uuidForm),
  slug: () => attributeOf(slugKind, slugForm),
  ip: () => attributeOf(ipKind, ipForm),
  integer: () => attributeOf(integerKind),
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

/** The kit for rows `R`: one object for all of them, since only the compiler knows the difference. */
export function attributeKit<R>(): AttributeKit<R> {
  return kit as unknown as AttributeKit<R>
}
