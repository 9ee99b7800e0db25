import type { AttributesFor, NamedAttributes, NamesWithFlag } from '../../declare/resource/fields/attribute-values.js'
import type { attributeState } from '../../declare/resource/fields/attribute-values.js'
import type { RelationKind } from '../../declare/resource/relations/relation-spec.js'
import type {
  RelationFlag,
  RelationParts,
  RelationState,
  UriSegment,
} from '../../declare/resource/relations/relation-types.js'
import type { RelationFilters } from './filter-values.js'
import type { PageOf } from './page-parameters.js'

type ToMany = 'hasMany' | 'belongsToMany' | 'morphToMany'
type OwnKey = 'belongsTo' | 'morphTo'

/**
 * The contract of one relation. `Linkage` is the policy of its type or server. It does not depend on the related type: otherwise the compiler
 * would instantiate the types of a service for each of its relations.
 */
export interface RelationContract<
  Name extends string,
  S extends RelationState<RelationKind, string, RelationFlag, RelationParts>,
  Linkage,
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
  filters: RelationFilters<S['parts']['filters'], S['parts']['pivot']>
  /** Sort keys in addition to those of the related type. */
  sorts: S['parts']['sorts'] | PivotSorts<S['parts']['pivot']>
  /** The `page` parameters of a request; `inherited` for those of the related type. */
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

/** A property for each kind of access that clients have to a relation. A condition that depends on the request is ignored. */
type PropertyOf<Kind extends RelationKind, F extends RelationFlag, Linkage> = Kind extends ToMany
  ? Exclude<
      ReadOfAny | 'creatable' | ChangeOfMany | LinkedBy<Linkage> | Gained[F & keyof Gained],
      Lost[F & keyof Lost] | LostByFunctions<F>
    >
  :
      | Exclude<
          ReadOfAny | 'creatable' | 'replaceable' | Gained[F & Exclude<keyof Gained, 'countable'>],
          Lost[F & Exclude<keyof Lost, 'cannotReplace' | 'withoutData'>] | LostByFunctions<F>
        >
      | LinkedToOne<Kind, F, Linkage>

type ReadOfAny = 'shown' | 'includable' | 'related' | 'relationship'
type ReadProperty = ReadOfAny | 'optional' | 'linked' | 'countable'
type ChangeOfMany = 'replaceable' | 'addable' | 'removable'
type WriteProperty = 'creatable' | 'required' | ChangeOfMany

/** The properties that modifiers add. */
interface Gained {
  maybeHidden: 'optional'
  onDemand: 'optional'
  withData: 'linked'
  countable: 'countable'
  required: 'required'
  requiredOnCreate: 'required'
}

/** The properties that modifiers remove, even if another modifier adds them. */
interface Lost {
  hidden: ReadProperty | WriteProperty
  writeOnly: ReadProperty
  notIncludable: 'includable'
  noRelatedEndpoint: 'related'
  noRelationshipEndpoint: 'relationship'
  withoutData: 'linked'
  readOnly: WriteProperty
  readOnlyOnCreate: 'creatable' | 'required'
  readOnlyOnUpdate: ChangeOfMany
  maybeHidden: 'required'
  cannotReplace: 'replaceable'
  cannotAdd: 'addable'
  cannotRemove: 'removable'
}

/** A relation that a function reads is writable only if another function writes it. */
type LostByFunctions<F> = 'customRead' extends F ? ('customWrite' extends F ? never : WriteProperty) : never

type LinkedBy<Linkage> = Linkage extends 'always' ? 'linked' : never

/** A key in the row of the owner is always shown. */
type LinkedToOne<Kind, F, Linkage> = 'hidden' extends F
  ? never
  : 'writeOnly' extends F
    ? never
    : Kind extends OwnKey
      ? 'linked'
      : 'withoutData' extends F
        ? never
        : LinkedBy<Linkage>

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
