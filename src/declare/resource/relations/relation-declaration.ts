import type { AnyPaginator } from '../../pagination/paginator.js'
import type { DeclaredMembers } from '../fields/declared-members.js'
import { declaredMembers } from '../fields/declared-members.js'
import type { AttributeDeclaration, AttributeSpec } from '../fields/attribute-declaration.js'
import { isAttribute } from '../fields/attribute-declaration.js'
import type { AttributeKit } from '../fields/attribute-kit.js'
import { attributeKit } from '../fields/attribute-kit.js'
import { filterSpecOf, sortSpecOf } from './spec-shape.js'
import { FieldDeclaration } from '../fields/field-declaration.js'
import type { RequestPredicate, RowObject, RowPredicate } from '../fields/field-spec.js'
import { defaultFieldSpec } from '../fields/field-spec.js'
import { rule } from '../fields/rule.js'
import type { FilterDeclaration } from '../filters/filter-declaration.js'
import type { FilterKit } from '../filters/filter-kit.js'
import { filterKit } from '../filters/filter-kit.js'
import { keyColumn } from '../parts/key-columns.js'
import { isModel } from '../parts/model.js'
import type { SortDeclaration, SortKit } from '../sorts/sort-kit.js'
import { sortKit } from '../sorts/sort-kit.js'
import type { SortSpecs } from '../sorts/sort-spec.js'
import type { UseCondition } from '../request/use-guard.js'
import { givenCondition } from '../request/use-guard.js'
import type { IdentifierMeta, RelationKind, RelationSecurity, RelationSpec } from './relation-spec.js'
import { relationTraits } from './relation-spec.js'

export function relationOf(kind: RelationKind, targets: readonly string[]): RelationDeclaration {
  const traits = relationTraits[kind]
  const unique = [...new Set(targets)]
  const named = unique.filter((target) => typeof target === 'string' && target !== '')
  return new RelationDeclaration({
    ...defaultFieldSpec,
    role: 'relation',
    kind,
    traits,
    targets: Object.freeze(named),
    linkage: null,
    links: true,
    uriName: null,
    relatedEndpoint: true,
    relationshipEndpoint: true,
    cannotBeIncluded: false,
    includeGuard: null,
    includableIf: null,
    useGuard: null,
    cannotReplace: false,
    cannotAdd: false,
    cannotRemove: false,
    countable: false,
    expectedMembers: null,
    filterable: false,
    filterableIf: null,
    pagination: undefined,
    filters: Object.freeze({}),
    sorts: Object.freeze({}),
    defaultSort: null,
    identifierMeta: null,
    security: null,
    inverseType: null,
    pivot: Object.freeze({}),
    key: null,
    join: null,
    faults:
      named.length > 0 && named.length === unique.length
        ? []
        : [
            {
              problem: `${kind}() names no related type`,
              remedy: `name it: ${kind}(${traits.polymorphic ? "['artists', 'albums']" : "'artists'"})`,
            },
          ],
  })
}

/** All options of all relation kinds; `relation-types.ts` shows the compiler which options a kind has. */
export class RelationDeclaration extends FieldDeclaration<RelationSpec> {
  protected override next(spec: RelationSpec): this {
    return new RelationDeclaration(spec) as this
  }

  withData(): this {
    return this.with({ linkage: 'always' })
  }

  withoutData(): this {
    return this.with({ linkage: 'onlyWhenIncluded' })
  }

  withoutLinks(): this {
    return this.with({ links: false })
  }

  withUriFieldName(segment: string): this {
    return this.with({ uriName: segment })
  }

  withoutRelatedEndpoint(): this {
    return this.with({ relatedEndpoint: false })
  }

  withoutRelationshipEndpoint(): this {
    return this.with({ relationshipEndpoint: false })
  }

  cannotBeIncluded(predicate?: RequestPredicate): this {
    return this.with({ cannotBeIncluded: predicate ?? true })
  }

  includableIf(condition: UseCondition): this {
    return this.with({ includableIf: givenCondition(condition) })
  }

  cannotReplace(predicate?: RowPredicate): this {
    return this.with({ cannotReplace: predicate ?? true })
  }

  cannotAdd(predicate?: RowPredicate): this {
    return this.with({ cannotAdd: predicate ?? true })
  }

  cannotRemove(predicate?: RowPredicate): this {
    return this.with({ cannotRemove: predicate ?? true })
  }

  filterable(): this {
    return this.filterableBy('filterable()', null)
  }

  filterableIf(condition: UseCondition): this {
    return this.filterableBy('filterableIf()', givenCondition(condition))
  }

  countable(): this {
    return this.with({ countable: true })
  }

  expectedMembers(count: number): this {
    if (!this.spec.traits.toMany) {
      return this.fault(`expectedMembers() does not fit ${this.spec.kind}()`, 'remove it: there is one member at most')
    }
    return Number.isSafeInteger(count) && count > 0
      ? this.with({ expectedMembers: count })
      : this.fault(`expectedMembers() was given ${String(count)}`, 'give a whole number above 0')
  }

  paginate(paginator: AnyPaginator): this {
    return this.with({ pagination: paginator })
  }

  withoutPagination(): this {
    return this.with({ pagination: null })
  }

  withFilters(declare: (kit: FilterKit<string>) => Readonly<Record<string, FilterDeclaration>>): this {
    const { members, faults } = membersDeclaredBy('withFilters', declare, filterKit())
    // A value that is not a filter has the specification `null`. The build reports it together with the other faults.
    const filters = members.map(([key, filter]) => [key, filterSpecOf(filter)])
    return this.with({
      filters: Object.freeze({ ...this.spec.filters, ...Object.fromEntries(filters) }),
      faults: [...this.spec.faults, ...faults],
    })
  }

  withSorts(declare: (kit: SortKit<string>) => Readonly<Record<string, SortDeclaration>>): this {
    const { members, faults } = membersDeclaredBy('withSorts', declare, sortKit())
    // A value that is not a sort has the specification `null`, which the build reports.
    const sorts = Object.fromEntries(members.map(([key, sort]) => [key, sortSpecOf(sort)])) as SortSpecs
    return this.with({
      sorts: Object.freeze({ ...this.spec.sorts, ...sorts }),
      faults: [...this.spec.faults, ...faults],
    })
  }

  defaultSort(...keys: readonly string[]): this {
    return this.with({ defaultSort: Object.freeze([...keys]) })
  }

  identifierMeta(meta: IdentifierMeta): this {
    return this.with({ identifierMeta: meta })
  }

  security(security: RelationSecurity): this {
    return this.with({ security: Object.freeze({ ...security }) })
  }

  inverseType(type: string): this {
    return this.with({ inverseType: type })
  }

  minItems(limit: number): this {
    return this.faultUnlessBounded('minItems') ?? this.constrain(rule.minItems(limit))
  }

  maxItems(limit: number): this {
    return this.faultUnlessBounded('maxItems') ?? this.constrain(rule.maxItems(limit))
  }

  fields(declare: (kit: AttributeKit<RowObject>) => Readonly<Record<string, AttributeDeclaration>>): this {
    if (this.spec.kind !== 'belongsToMany') {
      return this.fault(`${this.spec.kind}() has no join table with fields of its own`, 'use belongsToMany()')
    }
    const pivot: Record<string, AttributeSpec> = {}
    const { members, faults: found } = membersDeclaredBy('fields', declare, attributeKit())
    const faults = [...this.spec.faults, ...found]
    for (const [name, field] of members) {
      if (isAttribute(field)) {
        pivot[name] = field.spec
        faults.push(
          ...field.spec.faults.map(({ problem, remedy }) => ({ problem: `in '${name}', ${problem}`, remedy })),
        )
      } else
        faults.push({
          problem: `'${name}' is not an attribute`,
          remedy: 'declare it with the kit, such as a.integer()',
        })
    }
    return this.with({ pivot: Object.freeze(pivot), faults })
  }

  via(id: string | readonly string[], type?: string): this {
    return this.with({ key: Object.freeze({ id: keyNamed(id), type: type ?? null }) })
  }

  through(
    join: string | { readonly name: string },
    columns: {
      readonly owner?: string | readonly string[]
      readonly member?: string | readonly string[]
      readonly memberType?: string
    } = {},
  ): this {
    if (!this.spec.traits.joined) {
      return this.fault(`${this.spec.kind}() has no join table`, 'name the key column with via() instead')
    }
    const model: unknown = typeof join === 'string' ? join : join?.name
    if (typeof model !== 'string' || model === '') {
      return this.fault('through() names no join table', "name its model: through('playlist_tracks')")
    }
    const { owner, member, memberType = null } = columns
    return this.with({
      join: Object.freeze({
        model,
        rows: isModel(join) ? join : null,
        owner: owner === undefined ? null : keyNamed(owner),
        member: member === undefined ? null : Object.freeze({ id: keyNamed(member), type: memberType }),
      }),
    })
  }

  private filterableBy(option: string, condition: UseCondition | null): this {
    return this.spec.targets.length === 1
      ? this.with({ filterable: true, filterableIf: condition })
      : this.fault(`${option} needs a relation to one type`, 'declare a filter with f.has() or f.custom() instead')
  }

  private faultUnlessBounded(option: string): this | null {
    if (this.spec.traits.bounded) return null
    return this.fault(`${option}() does not fit ${this.spec.kind}()`, 'use it on hasMany() or belongsToMany()')
  }
}

/** Returns the name of a key that one column or a list of columns holds. A build rule reports any other value. */
function keyNamed(columns: string | readonly string[]): string {
  return Array.isArray(columns) ? keyColumn(columns) : (columns as string)
}

/** Returns the members that a callback declares, with faults that name the modifier. */
function membersDeclaredBy(modifier: string, declare: unknown, kit: unknown): DeclaredMembers {
  const { members, faults } = declaredMembers(declare, kit, `${modifier}(() => ({}))`)
  return { members, faults: faults.map(({ problem, remedy }) => ({ problem: `${modifier}(): ${problem}`, remedy })) }
}
