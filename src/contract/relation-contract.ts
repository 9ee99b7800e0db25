import type { AttributesFor, NamedAttributes, NamesWithFlag } from '../resource/fields/attribute-values.js'
import type { attributeState } from '../resource/fields/attribute-values.js'
import type { RelationKind } from '../resource/relations/relation-spec.js'
import type { RelationFlag, RelationParts, RelationState, UriSegment } from '../resource/relations/relation-types.js'
import type { AnyResource } from '../resource/resource-types.js'
import type { resourceState } from '../resource/resource-state.js'
import type { RelationFilters } from './filter-values.js'
import type { PageOf } from './page-parameters.js'

type ToMany = 'hasMany' | 'belongsToMany' | 'morphToMany'
type OwnKey = 'belongsTo' | 'morphTo'

/** The contract of one relation. `Linkage` is the policy of its type or server. */
export interface RelationContract<
  Name extends string,
  S extends RelationState<RelationKind, string, RelationFlag, RelationParts>,
  Linkage,
  R extends AnyResource,
> {
  /** The related types. */
  type: S['target']
  many: S['kind'] extends ToMany ? true : false
  /** The path segment. */
  path: SegmentOf<S['flags'], Name>
  is: PropertyOf<S['kind'], S['flags'], Linkage>
  /** The fields of the join rows; `null` if there are none. */
  pivot: [keyof S['parts']['pivot']] extends [never] ? null : PivotContract<S['parts']['pivot']>
  /** Filters in addition to those of the related type. */
  filters: RelationFilters<S['parts']['filters'], AttributesOfType<R, S['target']>, S['parts']['pivot']>
  /** Sort keys in addition to those of the related type. */
  sorts: S['parts']['sorts'] | PivotSorts<S['parts']['pivot']>
  /** What a request may send as `page`; `inherited` for that of the related type. */
  page: PageOf<S['parts']['page'], 'inherited'>
}

type SegmentOf<F, Name> =
  Extract<F, UriSegment<string>> extends infer Noted
    ? [Noted] extends [never]
      ? Name
      : Noted extends UriSegment<infer Segment>
        ? Segment
        : never
    : never

/** A property for each thing that a client may do with a relation. A condition that depends on the request counts as none. */
type PropertyOf<Kind extends RelationKind, F extends RelationFlag, Linkage> =
  | (Has<F, 'hidden' | 'writeOnly'> extends true ? never : ReadProperty<Kind, F, Linkage>)
  | (Has<F, 'hidden'> extends true
      ? never
      : Has<F, 'customRead'> extends true
        ? Has<F, 'customWrite'> extends true
          ? WriteProperty<Kind, F>
          : never
        : WriteProperty<Kind, F>)

type Has<F, Flag> = [Extract<F, Flag>] extends [never] ? false : true

type ReadProperty<Kind extends RelationKind, F extends RelationFlag, Linkage> =
  | 'shown'
  | (Has<F, 'maybeHidden' | 'onDemand'> extends true ? 'optional' : never)
  | (Has<F, 'notIncludable'> extends true ? never : 'includable')
  | (Has<F, 'noRelatedEndpoint'> extends true ? never : 'related')
  | (Has<F, 'noRelationshipEndpoint'> extends true ? never : 'relationship')
  | (Kind extends OwnKey
      ? 'linked'
      : Has<F, 'withData'> extends true
        ? 'linked'
        : Has<F, 'withoutData'> extends true
          ? never
          : Linkage extends 'always'
            ? 'linked'
            : never)
  | (Kind extends ToMany ? (Has<F, 'countable'> extends true ? 'countable' : never) : never)

type WriteProperty<Kind extends RelationKind, F extends RelationFlag> =
  | (Has<F, 'readOnly' | 'readOnlyOnCreate'> extends true
      ? never
      : 'creatable' | (Has<F, 'required' | 'requiredOnCreate'> extends true ? NeededUnless<F> : never))
  | (Has<F, 'readOnly' | 'readOnlyOnUpdate'> extends true
      ? never
      : Kind extends ToMany
        ?
            | (Has<F, 'cannotReplace'> extends true ? never : 'replaceable')
            | (Has<F, 'cannotAdd'> extends true ? never : 'addable')
            | (Has<F, 'cannotRemove'> extends true ? never : 'removable')
        : 'replaceable')

type NeededUnless<F> = Has<F, 'maybeHidden'> extends true ? never : 'required'

interface PivotContract<Pivot extends NamedAttributes> {
  attributes: AttributesFor<Pivot, 'read'>
  create: AttributesFor<Pivot, 'create'>
  update: AttributesFor<Pivot, 'update'>
}

/** The fields of join rows that a column holds are sort keys. */
type PivotSorts<Pivot extends NamedAttributes> = {
  [Name in keyof Pivot]: Pivot[Name][typeof attributeState]['kind'] extends 'map'
    ? never
    : Name extends NamesWithFlag<Pivot, 'computed'>
      ? never
      : Name & string
}[keyof Pivot]

/** The attributes of the related type; of several types, those of none. */
type AttributesOfType<R extends AnyResource, Type extends string> = Extract<
  R,
  { readonly type: Type }
>[typeof resourceState]['attributes']
