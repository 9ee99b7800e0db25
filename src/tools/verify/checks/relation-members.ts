import type { StatementId } from '../../format/statements/statements.js'
import type { RelationRead } from '../crawl/knowledge.js'
import {
  type Identity,
  identifiersIn,
  includedResources,
  isOnePage,
  isSameSet,
  keyOf,
  nameOfRelationship,
  primaryResources,
  type RelationshipObject,
  relationshipsOf,
} from '../documents/document-links.js'
import { dataDocument, type Exchange, responded } from '../exchange/exchange.js'
import type { Check, Run } from './run.js'

/** A response that shows the members of a relationship; `null` if not all of them. */
interface View {
  readonly exchange: Exchange
  readonly members: (exchange: Exchange) => readonly Identity[] | null
}

/** Two responses that must show the same members. */
interface Comparison {
  readonly statement: StatementId
  readonly relationship: RelationshipObject
  readonly linkage: View
  readonly shown: View
}

/** Checks that the linkage in resources, the linkage at its own address, and the related resources are the same. */
export const relationMembers: Check = {
  name: 'members of relationships',
  statements: ['fetch-relationships-response-200-primary-data', 'resource-related-resource-link'],
  async run(run) {
    const violated = new Set<string>()
    for (const comparison of [...run.knowledge.relationReads.values()].flatMap(comparisonsOf)) {
      const { relationship, statement } = comparison
      const key = JSON.stringify([statement, relationship.owner.type, relationship.name])
      if (!violated.has(key) && (await isViolated(comparison, run))) violated.add(key)
    }
  },
}

function comparisonsOf({ relationship, source, linkage, related }: RelationRead): readonly Comparison[] {
  const inResource = viewOf(source, (exchange) => linkageIn(exchange, relationship))
  const atAddress = viewOf(linkage, primaryMembers)
  const resources = viewOf(related, primaryMembers)
  // A resource without linkage, or with one page of it, is compared with nothing: the address of the linkage takes its place.
  const known = inResource ?? atAddress
  return [
    ...(inResource === null || atAddress === null
      ? []
      : [compared('fetch-relationships-response-200-primary-data', relationship, inResource, atAddress)]),
    ...(known === null || resources === null
      ? []
      : [compared('resource-related-resource-link', relationship, known, resources)]),
  ]
}

function compared(statement: StatementId, relationship: RelationshipObject, linkage: View, shown: View): Comparison {
  return { statement, relationship, linkage, shown }
}

function viewOf(exchange: Exchange | null, members: View['members']): View | null {
  return exchange === null || members(exchange) === null ? null : { exchange, members }
}

/** Returns the linkage of a relationship in a document with its owner. */
function linkageIn(exchange: Exchange, { owner, name }: RelationshipObject): readonly Identity[] | null {
  const document = dataDocument(exchange)
  const owners = [...primaryResources(document), ...includedResources(document)]
  const found = owners
    .filter((each) => keyOf(each) === keyOf(owner))
    .flatMap(relationshipsOf)
    .find((each) => each.name === name && each.data !== undefined)
  return found === undefined || found.isPaged ? null : identifiersIn(found.data)
}

function primaryMembers(exchange: Exchange): readonly Identity[] | null {
  const document = dataDocument(exchange)
  return document === null || isOnePage(document) ? null : identifiersIn(document['data'])
}

/** Data may change between two requests, so a difference counts if it is still there in a second pair of responses. */
async function isViolated(comparison: Comparison, run: Run): Promise<boolean> {
  const { statement, relationship } = comparison
  const seen = isDifferent(comparison) ? await repeated(comparison, run) : comparison
  if (seen === null) return false
  const { exchange } = seen.shown
  const holds = !isDifferent(seen)
  if (holds && membersOf(seen.shown).length < membersOf(seen.linkage).length) {
    run.ledger.note(
      `${responded(exchange)} without resources that the linkage identifies. The format allows that if the caller may not see them.`,
    )
  }
  run.ledger.expect(statement, holds, {
    problem: `${responded(exchange)} with other members than the linkage of ${nameOfRelationship(relationship)}, twice.`,
    pointer: '/data',
    exchange,
  })
  return !holds
}

/** Related resources may be fewer than the linkage, because the caller may not see all of them. */
function isDifferent({ statement, linkage, shown }: Comparison): boolean {
  const [identified, seen] = [membersOf(linkage), membersOf(shown)]
  if (statement !== 'resource-related-resource-link') return !isSameSet(identified, seen)
  const keys = new Set(identified.map(keyOf))
  return !seen.every((each) => keys.has(keyOf(each)))
}

function membersOf({ exchange, members }: View): readonly Identity[] {
  return members(exchange) ?? []
}

/** Sends both requests again. Resolves to `null` if their responses cannot be compared. */
async function repeated({ linkage, shown, ...others }: Comparison, { sender }: Run): Promise<Comparison | null> {
  const [first, second] = [
    await sender.send(linkage.exchange.request.url),
    await sender.send(shown.exchange.request.url),
  ]
  const [identified, seen] = [viewOf(first, linkage.members), viewOf(second, shown.members)]
  return identified === null || seen === null ? null : { ...others, linkage: identified, shown: seen }
}
