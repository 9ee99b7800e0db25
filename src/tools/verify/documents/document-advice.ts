import { pointer } from '../../../core/document/json-pointer.js'
import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'
import { identifiersIn, keyOf, primaryResources, relationshipsOf, type ResourceObject } from './document-links.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Ledger } from '../ledger/ledger.js'

/** Checks a document against the recommendations of the format, and for contradicting resource objects. */
export function adviseOnDocument(exchange: Exchange, ledger: Ledger): void {
  const { document } = exchange
  if (!isJsonObject(document)) return
  adviseOnErrors(document, exchange, ledger)
  const resources = primaryResources(document)
  for (const resource of resources) {
    adviseOnNames(resource, exchange, ledger)
    adviseOnKeys(resource, exchange, ledger)
    adviseOnReserved(resource, exchange, ledger)
  }
  checkUnique(resources, exchange, ledger)
}

function adviseOnErrors({ errors }: JsonObject, exchange: Exchange, ledger: Ledger): void {
  if (!Array.isArray(errors)) return
  for (const [index, error] of errors.entries()) {
    if (!isJsonObject(error)) continue
    ledger.expect('error-object-status', Object.hasOwn(error, 'status'), {
      problem: 'The error object has no status.',
      pointer: pointer('errors', index),
      exchange,
    })
  }
}

/** https://jsonapi.org/format/1.1/#document-member-names */
function adviseOnNames(resource: ResourceObject, exchange: Exchange, ledger: Ledger): void {
  for (const name of [...Object.keys(resource.attributes), ...Object.keys(resource.relationships)]) {
    if (name.startsWith('@')) continue
    ledger.expect('member-name-url-safe', /^[\w-]*$/.test(name), {
      problem: `The name of the field '${name}' of '${resource.type}' has characters that are not URL safe.`,
      exchange,
    })
  }
}

/** Checks that no attribute is the key of a related resource. Only an attribute with the id of its relationship certainly is one. */
function adviseOnKeys(resource: ResourceObject, exchange: Exchange, ledger: Ledger): void {
  for (const { name, data } of relationshipsOf(resource)) {
    const [identifier] = Array.isArray(data) ? [] : identifiersIn(data)
    if (identifier === undefined) continue
    const key = Object.entries(resource.attributes).find(
      ([attribute, value]) => isKeyName(attribute, name) && String(value) === identifier.id,
    )
    ledger.expect('resource-attributes-foreign-keys', key === undefined, {
      problem: `The attribute '${key?.[0]}' of '${resource.type}' is the key of the relationship '${name}'.`,
      exchange,
    })
  }
}

function isKeyName(attribute: string, relation: string): boolean {
  return attribute.toLowerCase().replaceAll(/[-_ ]/g, '') === `${relation.toLowerCase().replaceAll(/[-_ ]/g, '')}id`
}

/** Checks the members of objects in attributes: version 1.0 reserves two names. */
function adviseOnReserved(resource: ResourceObject, exchange: Exchange, ledger: Ledger): void {
  for (const [name, value] of Object.entries(resource.attributes)) {
    if (!isJsonObject(value)) continue
    const reserved = ['relationships', 'links'].find((member) => Object.hasOwn(value, member))
    ledger.expect('resource-attributes-reserve-members', reserved === undefined, {
      problem: `The attribute '${name}' of '${resource.type}' is an object with the reserved member '${reserved}'.`,
      exchange,
    })
  }
}

/** Checks that resource objects of a document with the same type and id do not differ. */
function checkUnique(resources: readonly ResourceObject[], exchange: Exchange, ledger: Ledger): void {
  if (resources.length < 2) return
  const seen = new Map<string, string>()
  let twice: ResourceObject | null = null
  for (const resource of resources) {
    const text = JSON.stringify(resource.attributes)
    const other = seen.get(keyOf(resource))
    if (other !== undefined && other !== text) twice = resource
    seen.set(keyOf(resource), text)
  }
  ledger.expect('resource-unique', twice === null, {
    problem: `Two resource objects '${twice?.type}' '${twice?.id}' have different attributes.`,
    exchange,
  })
}
