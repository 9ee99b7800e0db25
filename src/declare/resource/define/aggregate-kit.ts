import type { AggregateFunction, DatePart } from '../aggregates/compiled-aggregate.js'

/** The key of the type-level state of an aggregate and of its fields. It exists for the compiler only, not at run time. */
declare const aggregateState: unique symbol

/** How a field of an aggregate is made: the value of a field, a part of its date, or a measure. */
type FieldUse = 'value' | DatePart | AggregateFunction

/** A field of an aggregate, without its name and its types. */
export interface AggregateFieldSpec {
  readonly role: 'group' | 'measure'
  readonly use: FieldUse
  /** The attribute or relation; `null` if the name of the field is also its name, or for the number of rows. */
  readonly field: string | null
  readonly description: string | null
}

/** The settings of an aggregate, without its types. */
export interface AggregateSpec {
  readonly role: 'aggregate'
  readonly fields: Readonly<Record<string, unknown>>
  readonly minGroupSize: unknown
  readonly pages: unknown
  readonly description: unknown
}

/** Any field of an aggregate, as an {@link AggregateKit} creates it. */
export interface AnyAggregateField {
  readonly spec: AggregateFieldSpec
}

/** Any declared aggregate. `aggregates` lists it under the path segment after `-aggregates`. */
export interface AggregateDeclaration {
  readonly spec: AggregateSpec
}

/**
 * A field of an {@link AggregateKit}: how it is made, and of which attribute or relation. `Field` is `''` if the name of the field is
 * also the name of the attribute or relation.
 */
export interface AggregateField<Use extends FieldUse, Field extends string> extends AnyAggregateField {
  readonly [aggregateState]?: { readonly use: Use; readonly field: Field }
  /** Describes the field in the API description. */
  describedAs(description: string): AggregateField<Use, Field>
}

/** The sizes of the pages of an aggregate. See {@link AggregateKit}. */
export interface AggregatePages {
  /** The number of groups of a page, if the request does not set it. Default 100. */
  readonly size?: number
  /** Default 1,000. */
  readonly maxSize?: number
}

/** A declared aggregate, as an {@link AggregateKit} creates it. */
export interface Aggregate<Fields extends Readonly<Record<string, AnyAggregateField>>> extends AggregateDeclaration {
  readonly [aggregateState]?: Fields
  /**
   * Leaves out groups of fewer rows, so that a group does not tell the values of single rows. The document says in `meta` whether there are
   * such groups.
   */
  minGroupSize(rows: number): Aggregate<Fields>
  /** Sets the sizes of pages. */
  pages(pages: AggregatePages): Aggregate<Fields>
  /** Describes the aggregate in the API description. */
  describedAs(description: string): Aggregate<Fields>
}

/** The fields of an aggregate, and `never` for any other. */
export type AggregateFields<A> = A extends { readonly [aggregateState]?: infer Fields } ? NonNullable<Fields> : never

/** How a field of an aggregate is made, and of which field of the type. */
export type AggregateFieldState<F> = F extends { readonly [aggregateState]?: infer State } ? NonNullable<State> : never

/** The argument of a function that names a field: none, if the name of the aggregate's field is also that of the field. */
type FieldArgument<Name extends string> = readonly [field?: Name]

/** The field among the arguments; `''` if there is none. */
type FieldIn<Given extends readonly unknown[]> = Given extends readonly [infer Field extends string] ? Field : ''

/**
 * The functions that declare aggregates: the argument of `aggregates`. `Attribute` and `Relation` are the names of the fields of the
 * type. A function without a name takes the field that its key names.
 *
 * @example
 * ```ts
 * const tracks = defineResource('tracks', {
 *   model: model<{ id: number; seconds: number; albumId: number; addedAt: Date }>('tracks'),
 *   id: id(),
 *   attributes: (a) => ({ seconds: a.integer(), addedAt: a.dateTime() }),
 *   relations: { album: belongsTo('albums') },
 *   aggregates: (g) => ({
 *     'by-month': g.fields({ month: g.month('addedAt'), tracks: g.count(), average: g.avg('seconds') }),
 *     'by-album': g.fields({ album: g.by(), tracks: g.count(), seconds: g.sum() }),
 *     totals: g.fields({ tracks: g.count(), seconds: g.sum() }),
 *   }),
 * })
 * ```
 */
export interface AggregateKit<Attribute extends string, Relation extends string> {
  /** Declares an aggregate with these fields: a resource for each combination of the values by which it groups, or one for all rows. */
  fields<const Fields extends Readonly<Record<string, AnyAggregateField>>>(fields: Fields): Aggregate<Fields>
  /** Groups by the values of an attribute, or by the related resource of a to-one relation that the row refers to. */
  by<const Given extends FieldArgument<Attribute | Relation>>(...field: Given): AggregateField<'value', FieldIn<Given>>
  /** Groups by the year of a date or a time, in UTC: `1997`. */
  year<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'year', FieldIn<Given>>
  /** Groups by quarter, in UTC: `'1997-Q2'`. */
  quarter<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'quarter', FieldIn<Given>>
  /** Groups by month, in UTC: `'1997-05'`. */
  month<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'month', FieldIn<Given>>
  /** Groups by the week of ISO 8601, which begins on Monday, in UTC: `'1997-W21'`. */
  week<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'week', FieldIn<Given>>
  /** Groups by day, in UTC: `'1997-05-21'`. */
  day<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'day', FieldIn<Given>>
  /** The number of rows, or of those in which an attribute is not null. */
  count<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'count', FieldIn<Given>>
  /** The sum of the values of an attribute; null if there are none. */
  sum<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'sum', FieldIn<Given>>
  /** The average of the values of an attribute, with 15 digits; null if there are none. */
  avg<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'avg', FieldIn<Given>>
  /** The least value of an attribute; null if there is none. */
  min<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'min', FieldIn<Given>>
  /** The greatest value of an attribute; null if there is none. */
  max<const Given extends FieldArgument<Attribute>>(...field: Given): AggregateField<'max', FieldIn<Given>>
}

/** A field as a fluent declaration: a class because it has a method. */
class FieldOfAggregate implements AnyAggregateField {
  readonly spec: AggregateFieldSpec

  constructor(spec: AggregateFieldSpec) {
    this.spec = Object.freeze(spec)
    Object.freeze(this)
  }

  describedAs(description: string): FieldOfAggregate {
    return new FieldOfAggregate({ ...this.spec, description })
  }
}

class DeclaredAggregate implements AggregateDeclaration {
  readonly spec: AggregateSpec

  constructor(spec: AggregateSpec) {
    this.spec = Object.freeze(spec)
    Object.freeze(this)
  }

  minGroupSize(rows: number): DeclaredAggregate {
    return new DeclaredAggregate({ ...this.spec, minGroupSize: rows })
  }

  pages(pages: AggregatePages): DeclaredAggregate {
    return new DeclaredAggregate({ ...this.spec, pages })
  }

  describedAs(description: string): DeclaredAggregate {
    return new DeclaredAggregate({ ...this.spec, description })
  }
}

type MakeField = (field?: string) => FieldOfAggregate

const make =
  (role: AggregateFieldSpec['role'], use: FieldUse): MakeField =>
  (field) =>
    new FieldOfAggregate({ role, use, field: field ?? null, description: null })

const kit = Object.freeze({
  fields: (fields: Readonly<Record<string, unknown>>) =>
    new DeclaredAggregate({ role: 'aggregate', fields, minGroupSize: 1, pages: {}, description: null }),
  by: make('group', 'value'),
  year: make('group', 'year'),
  quarter: make('group', 'quarter'),
  month: make('group', 'month'),
  week: make('group', 'week'),
  day: make('group', 'day'),
  count: make('measure', 'count'),
  sum: make('measure', 'sum'),
  avg: make('measure', 'avg'),
  min: make('measure', 'min'),
  max: make('measure', 'max'),
} satisfies Readonly<Record<keyof AggregateKit<string, string>, (...given: never[]) => unknown>>)

/** Returns the kit for the fields of a type. All types share one object, because they differ for the compiler only. */
export function aggregateKit<Attribute extends string, Relation extends string>(): AggregateKit<Attribute, Relation> {
  return kit as unknown as AggregateKit<Attribute, Relation>
}
