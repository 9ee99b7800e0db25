// @ts-check
/** The checks of fields and actions that need abilities: `visibleIf()`, `security({ read })`, and `ability` of actions. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const fields = [
  place(
    'server/assembly/compile/compile-guards.ts',
    'visibleIf()',
    'return guard === null ? spec : Object.freeze({ ...spec, guard })',
    'return spec',
  ),
  place(
    'server/assembly/compile/compile-guards.ts',
    'security({ read })',
    'return readGuard === null ? onField(spec) : Object.freeze({ ...onField(spec), readGuard })',
    'return onField(spec)',
  ),
  place(
    'server/assembly/compile/compile-guards.ts',
    'abilities of links to actions',
    'const guard = action.asLink ? guardOf(action.ability) : null',
    'const guard: FieldGuard | null = null',
  ),
  place(
    'server/assembly/compile/compile-guards.ts',
    'abilities of operations, for fields',
    'const required = requiredAbility(abilities, ability)',
    'const required = ability',
  ),
  place(
    'declare/resource/fields/field-guard.ts',
    'guards of a row',
    'guardsOf(spec).some(({ flag }) => !isSet(row[flag]))',
    'false',
  ),
  place('declare/resource/reading/attribute-reader.ts', 'guards of attributes', 'guardHides(spec, object) || ', ''),
  place(
    'serve/render/relationships-writer.ts',
    'guards of relationships',
    'if (hideable !== null && isHiddenFrom(hideable, object ?? {}, context)) continue',
  ),
  place(
    'serve/render/action-links.ts',
    'guards of links to actions',
    'if (guard !== null && !isSet(row?.[guard.flag])) continue',
  ),
  place(
    'declare/resource/fields/visible-field.ts',
    'security({ read }), before rows are read',
    'both(addressability(spec, context), throughGuard(spec.readGuard, context))',
    'addressability(spec, context)',
  ),
  place(
    'declare/resource/fields/visible-field.ts',
    'visibleIf(), before rows are read',
    'return both(byPredicate, throughGuard(guard, context))',
    'return byPredicate',
  ),
  place(
    'declare/resource/fields/visible-field.ts',
    'fields that some rows hide, in filters and sorts',
    "return visibilityOf(spec, context) === 'visible'",
    "return visibilityOf(spec, context) !== 'hidden'",
  ),
  place(
    'declare/resource/fields/visible-field.ts',
    'security({ read }), in filters',
    " && throughGuard(spec.readGuard, context) !== 'hidden'",
  ),
  place(
    'serve/read/query/guard-conditions.ts',
    'rows that show a relation, in filters',
    'shows: ruleSlot(owner, ability)',
    'shows: slot(owner, () => null)',
  ),
  place(
    'serve/read/query/guard-conditions.ts',
    'rows that hide a relation, in filters',
    'hides: conditionSlot(owner, (context) => negatedRuleIn(owner, ability, context))',
    'hides: conditionSlot(owner, () => noRow)',
  ),
  place(
    'serve/read/plan/guard-variant.ts',
    'plans of other callers',
    "fields.length === 0 ? '' : fields.map((guard) => guard.visibilityIn(context)).join()",
    "fields.length >= 0 ? '' : ''",
  ),
  place('serve/read/graph/missing-flags.ts', 'abilities for rows', 'held[index] === true', 'held !== null'),
  place(
    'serve/read/plan/row-flags.ts',
    'abilities for rows, by flags',
    'condition: ruleSlot(served, ability)',
    "condition: { kind: 'all', conditions: ability === '' ? [ruleSlot(served, ability)] : [] }",
  ),
  place(
    'serve/read/graph/fetch-parent.ts',
    'abilities for the owner, by flags',
    'return isSet(node.row[columns.indexOf(flag)])',
    'return isSet(true)',
  ),
  place(
    'serve/write/persist/flags-after-write.ts',
    'flags that an update may change',
    'value === undefined || isAffected(flag, changed, write)',
    'value === undefined || isAffected(flag, [], write)',
  ),
  place(
    'serve/read/rows/held-abilities.ts',
    'functions of abilities',
    'return result === true',
    'return result !== null',
  ),
  place(
    'serve/read/rows/held-abilities.ts',
    'rules of abilities',
    'return rows.map((row) => met.has(row))',
    'return rows.map(() => true)',
  ),
  place(
    'serve/read/graph/fetch-parent.ts',
    'security({ read }), before rows are read',
    "if (readGuard !== null && readGuard.visibilityIn(context) === 'hidden') deny(owner, readGuard.ability, context)",
  ),
  place(
    'serve/read/graph/fetch-parent.ts',
    'security({ read }), for the owner',
    'if (readGuard !== null && !(await holds(parent, readGuard, { context, open })))\n    deny(owner, readGuard.ability, context)',
  ),
  place(
    'serve/read/graph/fetch-parent.ts',
    'visibleIf(), for the owner',
    '(guard !== null && !(await holds(parent, guard, request)))',
    'false',
  ),
  place(
    'serve/read/graph/show-resources.ts',
    'relations that rows hide, included',
    'if (hidesRelation(node, step.relation, context)) continue',
  ),
  place(
    'serve/handler/custom-action.ts',
    'the ability of an action, before rows are read',
    "if (typeof action.ability === 'string') requirePermission(served, action.ability, call.context)",
  ),
  place(
    'serve/handler/custom-action.ts',
    'the ability of an action, for the resource',
    'return checkRules([storedRow(served, entity)], ability, { context, open, limit: services.maxErrors })',
    'return',
  ),
  place(
    'serve/handler/custom-action.ts',
    'the ability of an action on a collection, as a function',
    'if (result !== true) deny(served, ability, context)',
  ),
  place(
    'serve/write/document/writable-members.ts',
    'visibleIf(), of fields that are written',
    'if (guard !== null && row[guard.flag] !== true) return false',
  ),
  place(
    'serve/write/document/writable-members.ts',
    'visibleIf() of relations, before rows are read',
    " || hiddenness(spec, context) === 'hidden'",
  ),
  place(
    'serve/write/persist/write-resource.ts',
    'fields that the written row hides',
    'if (hidden !== null) rollBack(hidden)',
  ),
  place(
    'serve/write/new-resource.ts',
    'fields that new rows hide',
    '!writeStrategies(served).mayHideMembers || certainlyShowsMembers(resource, values, context)',
    'true',
  ),
  place(
    'serve/write/document/writable-members.ts',
    'members that another caller may write',
    ' && !mayBeHidden({ spec })',
  ),
  place(
    'serve/validation/writable-attributes.ts',
    'visibleIf() of attributes, before rows are read',
    " || hiddenness(spec, context) === 'hidden'",
  ),
  place(
    'serve/validation/writable-attributes.ts',
    'attributes that another caller may write',
    ' && spec.guard === null',
  ),
  place('serve/write/write-strategy.ts', 'visibleIf() of attributes, by one statement', ' || spec.guard !== null'),
]
