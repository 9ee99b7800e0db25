import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Constraint, Moment } from '../../declare/resource/fields/constraint.js'
import type { ValueKind } from '../../declare/resource/fields/value-kind.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { mergedSchema } from './merged-schema.js'

/** The rules of a value, as far as they can be described. */
export interface DescribedRules {
  /** Every value that meets the rules meets these schemas. */
  readonly schemas: readonly JsonSchema[]
  /** A sentence for each rule that JSON Schema cannot express. */
  readonly notes: readonly string[]
}

/** The writes that rules are described for; `null` for values that are not written, such as those of filters. */
export type RuleMode = 'create' | 'update' | null

/** Describes rules. A rule that depends on more than the value is left out, or becomes a sentence. */
export function describedRules(constraints: readonly Constraint[], mode: RuleMode, kind: ValueKind): DescribedRules {
  const all = constraints.filter(({ on }) => on === 'always' || mode === null || on === mode)
  const described = all.map((constraint) => describedRule(constraint, mode, kind))
  return { schemas: described.flatMap(({ schemas }) => schemas), notes: described.flatMap(({ notes }) => notes) }
}

const nothing: DescribedRules = Object.freeze({ schemas: [], notes: [] })
const bySchema = (schema: JsonSchema): DescribedRules => ({ schemas: [schema], notes: [] })
const byNote = (note: string): DescribedRules => ({ schemas: [], notes: [note] })

function describedRule(constraint: Constraint, mode: RuleMode, kind: ValueKind): DescribedRules {
  switch (constraint.kind) {
    case 'schema':
      return schemaRule(constraint, kind)
    case 'bigintBound':
      return byNote(`${bigintSigns[constraint.name]} ${constraint.bound}.`)
    case 'before':
      return byNote(`Before ${momentText(constraint.bound)}.`)
    case 'after':
      return byNote(`After ${momentText(constraint.bound)}.`)
    case 'between':
      return byNote(`From ${momentText(constraint.from)} to ${momentText(constraint.to)}.`)
    case 'each':
      return eachRule(constraint.constraints, mode, kind)
    case 'sequentially':
      return describedRules(constraint.constraints, mode, kind)
    case 'atLeastOneOf':
      return alternatives(constraint.alternatives, mode, kind)
    case 'compare':
      return byNote(`Must be ${constraint.operator} '${constraint.field}'.`)
    case 'unique':
      return byNote(
        constraint.fields.length === 0
          ? 'No two resources have the same value.'
          : `No two resources have the same value together with ${quotedList(constraint.fields)}.`,
      )
    case 'standard':
      return standardRule(constraint.validator)
    case 'custom':
      return constraint.schema === null ? nothing : bySchema(constraint.schema)
    // Null and presence are part of the type of the value; a condition need not apply.
    case 'required':
    case 'nullable':
    case 'when':
      return nothing
  }
}

const bigintSigns = Object.freeze({
  min: 'At least',
  max: 'At most',
  exclusiveMin: 'More than',
  exclusiveMax: 'Less than',
})

function momentText(bound: Moment): string {
  if (typeof bound === 'function') return 'a moment that the server computes'
  return typeof bound === 'string' ? bound : bound.toISOString()
}

function quotedList(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}

/** Describes a rule that is a JSON Schema. A list of moments becomes a sentence, since one moment can be written in several formats. */
function schemaRule({ name, schema }: Extract<Constraint, { kind: 'schema' }>, kind: ValueKind): DescribedRules {
  if (kind.moment === null || (name !== 'in' && name !== 'notIn')) return bySchema(schema)
  const set = name === 'in' ? schema : (schema['not'] as JsonSchema)
  const listed = (Array.isArray(set['enum']) ? set['enum'] : []).map(String).join(', ')
  return byNote(name === 'in' ? `One of ${listed}.` : `None of ${listed}.`)
}

function eachRule(constraints: readonly Constraint[], mode: RuleMode, kind: ValueKind): DescribedRules {
  const { schemas, notes } = describedRules(constraints, mode, kind)
  const isNullable = constraints.some((rule) => rule.kind === 'nullable')
  const items = mergedSchema(...schemas)
  return {
    schemas: schemas.length === 0 ? [] : [{ items: isNullable ? { anyOf: [{ type: 'null' }, items] } : items }],
    notes: notes.map((note) => `Each item: ${note}`),
  }
}

/** Describes alternatives, if JSON Schema can express all of them. */
function alternatives(rules: readonly Constraint[], mode: RuleMode, kind: ValueKind): DescribedRules {
  const described = rules.map((rule) => describedRules([rule], mode, kind))
  const areSchemas = described.every(({ schemas, notes }) => schemas.length > 0 && notes.length === 0)
  return areSchemas ? bySchema({ anyOf: described.map(({ schemas }) => mergedSchema(...schemas)) }) : nothing
}

/** Returns the JSON Schema that a validator has of its input: https://standardschema.dev/json-schema */
function standardRule({ '~standard': standard }: StandardSchemaV1): DescribedRules {
  const { jsonSchema } = standard as { readonly jsonSchema?: unknown }
  if (!isPlainObject(jsonSchema) || typeof jsonSchema['input'] !== 'function') return nothing
  try {
    const described: unknown = jsonSchema['input']({ target: 'draft-2020-12' })
    if (!isPlainObject(described)) return nothing
    const { $schema: _, ...schema } = described
    // A schema with references cannot be moved into another document.
    return JSON.stringify(schema).includes('"$') ? nothing : bySchema(schema)
  } catch {
    // Some validators have no JSON Schema, such as those with transformations.
    return nothing
  }
}
