import type {
  CountCriteria,
  GroupCriteria,
  ReadCriteria,
  RelatedCriteria,
  RowFlag,
} from '../../../declare/resource/capabilities/provider.js'
import type { GroupOrder, RowGroup } from '../../../declare/resource/querying/row-aggregation.js'
import type { OrderStep, RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

interface AnyCriteria extends Pick<ReadCriteria, 'conditions' | 'context'> {
  readonly orders?: readonly (RowOrder | GroupOrder)[]
  readonly groups?: GroupCriteria['groups']
  readonly conditionsOf?: RelatedCriteria['conditionsOf']
  readonly flags?: ReadCriteria['flags']
  readonly flagsOf?: RelatedCriteria['flagsOf']
}

/**
 * Returns criteria for a function that does not accept scopes: with a condition of this request in place of each scope; the same object if
 * there is no scope.
 */
export function withScopes<Criteria extends AnyCriteria | CountCriteria | GroupCriteria>(criteria: Criteria): Criteria {
  const { conditions, conditionsOf, orders, groups, flags, flagsOf, context } = criteria as AnyCriteria
  const changed = {
    conditions: filledAll(conditions, context),
    ...(conditionsOf === undefined ? {} : { conditionsOf: filledByType(conditionsOf, context) }),
    ...(orders === undefined
      ? {}
      : { orders: mapped(orders, (order) => ('of' in order ? order : filledOrder(order, context))) }),
    ...(groups === undefined ? {} : { groups: mapped(groups, (group) => filledGroup(group, context)) }),
    ...(flags === undefined ? {} : { flags: filledFlags(flags, context) }),
    ...(flagsOf === undefined ? {} : { flagsOf: mappedValues(flagsOf, (each) => filledFlags(each, context)) }),
  }
  const isSame =
    changed.conditions === conditions &&
    changed.conditionsOf === conditionsOf &&
    changed.orders === orders &&
    changed.groups === groups &&
    changed.flags === flags &&
    changed.flagsOf === flagsOf
  // A store that caches only by the key would show one client the rows of another.
  return isSame ? criteria : { ...criteria, ...changed, cacheKey: undefined }
}

/** Returns the same list if no item changes. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed
}

/** A scope that lets all rows pass is left out. */
function filledAll(conditions: readonly RowCondition[], context: RequestContext): readonly RowCondition[] {
  const effective = conditions.filter(
    (condition) => condition.kind !== 'scope' || condition.conditionIn(context) !== null,
  )
  return mapped(effective.length === conditions.length ? conditions : effective, (condition) =>
    filled(condition, context),
  )
}

function filledByType(
  conditionsOf: RelatedCriteria['conditionsOf'],
  context: RequestContext,
): RelatedCriteria['conditionsOf'] {
  return mappedValues(conditionsOf, (conditions) => filledAll(conditions, context))
}

/** Returns the same map if no value changes. */
function mappedValues<Value>(values: ReadonlyMap<string, Value>, change: (value: Value) => Value): typeof values {
  const entries: readonly (readonly [string, Value])[] = [...values]
  const changed = mapped(entries, (entry) => {
    const value = change(entry[1])
    return value === entry[1] ? entry : ([entry[0], value] as const)
  })
  return changed === entries ? values : new Map(changed)
}

function filledFlags(flags: readonly RowFlag[], context: RequestContext): readonly RowFlag[] {
  return mapped(flags, (flag) => {
    const condition = filled(flag.condition, context)
    return condition === flag.condition ? flag : { ...flag, condition }
  })
}

function filledGroup(group: RowGroup, context: RequestContext): RowGroup {
  const condition = group.condition === null ? null : filled(group.condition, context)
  return condition === group.condition ? group : { ...group, condition }
}

/** Returns `null` for a scope that lets all rows pass. */
function filledOne(condition: RowCondition, context: RequestContext): RowCondition | null {
  return condition.kind === 'scope' ? condition.conditionIn(context) : filled(condition, context)
}

const always: RowCondition = Object.freeze({ kind: 'all', conditions: Object.freeze([]) })

function filled(condition: RowCondition, context: RequestContext): RowCondition {
  switch (condition.kind) {
    case 'scope':
      return condition.conditionIn(context) ?? always
    case 'related': {
      const conditionsOf = filledByType(condition.conditionsOf, context)
      const inner = condition.condition === null ? null : filledOne(condition.condition, context)
      const isSame = conditionsOf === condition.conditionsOf && inner === condition.condition
      return isSame ? condition : { ...condition, conditionsOf, condition: inner }
    }
    case 'all':
    case 'any': {
      const conditions =
        condition.kind === 'all'
          ? filledAll(condition.conditions, context)
          : mapped(condition.conditions, (member) => filled(member, context))
      return conditions === condition.conditions ? condition : { ...condition, conditions }
    }
    case 'not': {
      const inner = filled(condition.condition, context)
      return inner === condition.condition ? condition : { ...condition, condition: inner }
    }
    default:
      return condition
  }
}

function filledOrder(order: RowOrder, context: RequestContext): RowOrder {
  if (order.kind !== 'column' && order.kind !== 'visibleColumn') return order
  const path = mapped(order.path, (step): OrderStep => {
    const condition = step.condition === null ? null : filledOne(step.condition, context)
    return condition === step.condition ? step : { ...step, condition }
  })
  if (order.kind === 'column') return path === order.path ? order : { ...order, path }
  const condition = filled(order.condition, context)
  return path === order.path && condition === order.condition ? order : { ...order, path, condition }
}
