import { sentMediaTypes } from '../../declare/resource/actions/compiled-action.js'
import type { CatalogueEntry, ErrorFeature } from '../../core/errors/catalogue-entry.js'
import { catalogue } from '../../core/errors/catalogue.js'
import { countableProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { pascalCase } from './component-names.js'
import type { ActionContract, PageContract, TypeContract } from '../contract/contract.js'
import type { Api } from './described-server.js'
import { isEstimable } from './page-schemas.js'
import { jsonapiSchema, linkSchema, requiredMembers } from './shared-schemas.js'

const entries: readonly (readonly [code: string, entry: CatalogueEntry])[] = Object.freeze(Object.entries(catalogue))

/** The names of the components of errors. No type gets one of them. */
export const errorNames: readonly string[] = Object.freeze([
  ...entries.map(([code]) => errorName(code)),
  ...new Set(entries.map(([, { status }]) => `ErrorDocument${status}`)),
])

/** `FILTERING_UNRECOGNIZED` becomes `FilteringUnrecognizedError`. */
function errorName(code: string): string {
  return `${pascalCase(code.toLowerCase())}Error`
}

/** https://jsonapi.org/format/1.1/#error-objects */
function errorSchema(api: Api): JsonSchema {
  const { components } = api
  return components.schema('Error', () => ({
    type: 'object',
    properties: {
      id: { type: 'string' },
      status: { type: 'string', pattern: '^[1-5][0-9]{2}$', description: 'The HTTP status of this error.' },
      code: { type: 'string', description: 'The kind of error. It never changes.' },
      title: { type: 'string' },
      detail: { type: 'string' },
      source: errorSource(api),
      links: { type: 'object', additionalProperties: linkSchema(api) },
      meta: { type: 'object' },
    },
    required: ['status'],
  }))
}

function errorSource({ components }: Api): JsonSchema {
  return components.schema('ErrorSource', () => ({
    type: 'object',
    properties: {
      pointer: { type: 'string', format: 'json-pointer', description: 'The member of the request body.' },
      parameter: { type: 'string', description: 'The query parameter.' },
      header: { type: 'string', description: 'The request header.' },
    },
  }))
}

/** Returns a reference to the errors of one code. */
function codeSchema(api: Api, code: string, entry: CatalogueEntry): JsonSchema {
  return api.components.schema(errorName(code), () => ({
    allOf: [
      errorSchema(api),
      {
        type: 'object',
        properties: {
          code: { type: 'string', const: code },
          status: { type: 'string', const: String(entry.status) },
          title: { type: 'string', default: entry.title },
          ...sourceOf(entry),
        },
        required: ['code', 'status', ...(isSourced(entry) ? ['source'] : [])],
      },
    ],
    title: code,
    description: entry.when,
    'x-error-context': [...entry.context],
  }))
}

function isSourced({ source }: CatalogueEntry): boolean {
  return !source.includes('none')
}

function sourceOf({ source }: CatalogueEntry): { readonly source?: JsonSchema } {
  const [only, ...others] = source.filter((kind) => kind !== 'none')
  if (only === undefined) return {}
  if (others.length > 0) return { source: { type: 'object' } }
  return { source: { type: 'object', properties: { [only]: { type: 'string' } }, required: [only] } }
}

/**
 * Returns a reference to the error documents of a status; those of the application if the framework has no code for it. The codes are
 * a catalogue and not a limit: a document with several errors has a status that fits all of them.
 */
export function errorDocument(api: Api, status: number | null): JsonSchema {
  const features = usedFeatures(api)
  const used = entries.filter(([, entry]) => entry.status === status && features.has(entry.feature))
  const name = used.length === 0 ? 'ErrorDocument' : `ErrorDocument${status}`
  return api.components.schema(name, () => {
    const codes = used.map(([code, entry]) => codeSchema(api, code, entry))
    return {
      type: 'object',
      properties: {
        errors: {
          type: 'array',
          minItems: 1,
          items: codes.length === 0 ? errorSchema(api) : { anyOf: [errorSchema(api), ...codes] },
        },
        jsonapi: jsonapiSchema(api),
        meta: { type: 'object' },
        links: { type: 'object', additionalProperties: linkSchema(api) },
      },
      required: ['errors', ...requiredMembers(api)],
    }
  })
}

/** Returns the features that a server uses. Codes of other features cannot occur. */
function usedFeatures({ contract, server: { traits } }: Api): ReadonlySet<ErrorFeature> {
  const { types, profiles, extensions } = contract
  const pages = types.flatMap(({ page, relations }) => [page, ...relations.map((each) => each.page)])
  const hasPages = (isWanted: (page: PageContract) => boolean): boolean =>
    pages.some((page) => page !== null && isWanted(page))
  const writes = types.some(
    ({ operations, actions }) => operations.some((each) => !each.startsWith('Fetch')) || actions.length > 0,
  )
  const used: Readonly<Record<ErrorFeature, boolean>> = {
    always: true,
    write: writes,
    clientIds: types.some(({ id }) => id.client !== 'never'),
    strictMembers: traits.rejectsUnknownMembers,
    preconditions: writes,
    overload: traits.hasOverload,
    queryCost: traits.hasQueryCost,
    replicas: traits.hasReplicas,
    rateLimit: traits.limitsRate,
    idempotency: traits.hasIdempotency,
    cursor: hasPages(({ choices }) => choices.some(({ strategy }) => strategy === 'cursor')),
    search: types.some(sortsByRelevance),
    estimate: hasPages(({ choices }) => choices.some(isEstimable)),
    menu: hasPages(({ isMenu }) => isMenu),
    countable: profiles.includes(countableProfile.uri),
    atomic: extensions.length > 0,
    bytes: types.some(({ actions }) => actions.some(takesOrSendsBytes)),
    developmentValidators: false,
  }
  return new Set((Object.keys(used) as ErrorFeature[]).filter((feature) => used[feature]))
}

function sortsByRelevance({ sorts, relations }: TypeContract): boolean {
  const all = [sorts, ...relations.map((relation) => relation.sorts)].flatMap((each) => Object.values(each))
  return all.some(({ search }) => search !== null)
}

function takesOrSendsBytes(action: ActionContract): boolean {
  return action.inputMediaTypes !== null || sentMediaTypes(action) !== null
}
