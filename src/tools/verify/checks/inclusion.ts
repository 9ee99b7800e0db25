import { withQuery } from '../crawl/addresses.js'
import type { KnownRelation, KnownType } from '../crawl/knowledge.js'
import {
  identifiersIn,
  includedResources,
  keyOf,
  primaryResources,
  relationshipsOf,
} from '../documents/document-links.js'
import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { dataDocument, type Exchange, responded } from '../exchange/exchange.js'
import { type Addressed, addressedIn, type Check, probe, type Run } from './run.js'

/** https://jsonapi.org/format/1.1/#fetching-includes */
export const inclusion: Check = {
  name: 'inclusion of related resources',
  statements: [
    'inclusion-unrequested',
    'inclusion-not-supported',
    'inclusion-included-member',
    'inclusion-empty',
    'compound-documents-allow',
    'compound-documents-top-level-included',
    'compound-documents-full-linkage',
    'compound-documents-duplicates',
    'data-included',
  ],
  async run(run) {
    await Promise.all([...run.knowledge.types.values()].map((type) => checkType(type, run)))
  },
}

/** The number of relations to check for each type. */
const enoughRelations = 4

async function checkType(type: KnownType, run: Run): Promise<void> {
  const relations = [...type.relations.values()]
    .toSorted((a, b) => memberCount(b) - memberCount(a))
    .slice(0, enoughRelations)
  const results = await Promise.all(relations.map((relation) => checkRelation(type, relation, run)))
  await Promise.all(relations.map((relation) => checkLinkage(relation, run)))
  const single = addressedIn(type)
  if (single === null || !results.includes(true)) return
  const exchange = await probe(run, withQuery(single.self, { include: '' }))
  if (exchange?.response.status !== 200) return
  run.ledger.expect('inclusion-empty', includedResources(exchange.document).length === 0, {
    problem: `${responded(exchange)} with included resources.`,
    pointer: '/included',
    exchange,
  })
}

function memberCount({ samples }: KnownRelation): number {
  return identifiersIn(samples[0]?.data).length
}

/** Returns whether a relation can be included. */
async function checkRelation(type: KnownType, { name, samples }: KnownRelation, run: Run): Promise<boolean> {
  const owner = ownerOf(type, samples[0]?.owner.id)
  if (owner === null) return false
  const exchange = await probe(run, withQuery(owner.self, { include: name }))
  const document = exchange === null ? null : dataDocument(exchange)
  if (exchange === null || document === null) return false
  const linkage = linkageIn(exchange, name)
  const included = includedResources(document)
  const known = new Set(linkage?.map(keyOf))
  const isIncluded = included.some((each) => known.has(keyOf(each)))
  // A member may be deleted, or be the resource itself. A member that the server has shown elsewhere exists.
  const isExpected = linkage?.some(({ type: member, id }) => {
    return (member !== owner.type || id !== owner.id) && run.knowledge.types.get(member)?.resources.has(id) === true
  })
  if (isIncluded || isExpected === true) {
    run.ledger.expect('inclusion-not-supported', isIncluded, {
      problem: `${responded(exchange)}, not 400, and includes none of the members of '${name}'.`,
      exchange,
    })
    if (!isIncluded) return false
  }
  run.ledger.expect('inclusion-included-member', Object.hasOwn(document, 'included'), {
    problem: `${responded(exchange)} without the member 'included'.`,
    exchange,
  })
  // Without linkage, the members are unknown. The document has another fault then.
  if (linkage === null) return true
  const unrequested = included.find((each) => !known.has(keyOf(each)))
  run.ledger.expect('inclusion-unrequested', unrequested === undefined, {
    problem: `${responded(exchange)} with the included resource '${unrequested?.type}' '${unrequested?.id}', which is no member of '${name}'.`,
    pointer: '/included',
    exchange,
  })
  return true
}

/** Checks that the address of a relationship includes its members, or refuses to. */
async function checkLinkage({ name, samples }: KnownRelation, run: Run): Promise<void> {
  const address = samples.find(({ self, data }) => self !== null && identifiersIn(data).length > 0)?.self
  if (address === undefined || address === null) return
  const exchange = await probe(run, withQuery(address, { include: name }))
  const document = exchange === null ? null : dataDocument(exchange)
  if (exchange === null) return
  const members = identifiersIn(document?.['data'])
  const known = members.filter(({ type, id }) => run.knowledge.types.get(type)?.resources.has(id) === true)
  if (document !== null && known.length === 0) return
  const included = new Set(includedResources(document ?? {}).map(keyOf))
  const isIncluded = known.some((each) => included.has(keyOf(each)))
  run.ledger.expect('inclusion-not-supported', document === null ? exchange.response.status === 400 : isIncluded, {
    problem:
      document === null
        ? `${responded(exchange)}, not 400.`
        : `${responded(exchange)}, not 400, and includes none of the members of '${name}'.`,
    exchange,
  })
}

function ownerOf(type: KnownType, id: string | undefined): Addressed | null {
  const owner = id === undefined ? undefined : type.resources.get(id)
  return owner !== undefined && owner.self !== null ? { ...owner, self: owner.self } : addressedIn(type)
}

/** Returns the linkage of a relationship of the primary resource; `null` if the document does not have it. */
function linkageIn({ document }: Exchange, name: string) {
  if (!isJsonObject(document)) return null
  const [owner] = primaryResources(document)
  const relationship = owner === undefined ? undefined : relationshipsOf(owner).find((each) => each.name === name)
  return relationship?.data === undefined ? null : identifiersIn(relationship.data)
}
