import type { StatementId } from '../../format/statements/statements.js'
import type { KnownRelation } from '../crawl/knowledge.js'
import {
  type Identity,
  identifiersIn,
  isSameSet,
  keyOf,
  linksOf,
  relationshipsOf,
} from '../documents/document-links.js'
import { isJsonObject } from '../../format/inspection/document-inspection.js'
import { dataDocument, type Exchange, isInconclusive, responded } from '../exchange/exchange.js'
import { expectRefused } from './check-creation.js'
import { readSubject } from './check-updates.js'
import type { Maker } from './maker.js'
import { type WriteRun, write } from './write-run.js'

/** A relationship of a resource of the run. */
interface Relationship {
  /** The address of the owner. */
  readonly owner: string
  readonly name: string
  readonly url: string
  readonly isToMany: boolean
  /** Two resources that can be members. */
  readonly members: readonly [Identity, Identity]
}

/** The number of relationships of each form to check, for one type. */
const enough = 2

/** https://jsonapi.org/format/1.1/#crud-updating-relationships */
export async function checkRelationships(
  url: string,
  makers: ReadonlyMap<string, Maker>,
  run: WriteRun,
): Promise<void> {
  const subject = await readSubject(url, run)
  if (subject === null) return
  const relations = run.knowledge.types.get(subject.resource.type)?.relations
  const counts = { one: 0, many: 0 }
  for (const { name, self, data } of relationshipsOf(subject.resource)) {
    const known = relations?.get(name)
    const address = self === null ? null : run.addresses.resolve(self, url)
    const isToMany = data === undefined ? (known?.isToMany ?? null) : Array.isArray(data)
    if (address?.kind !== 'internal' || isToMany === null) continue
    const form = isToMany ? 'many' : 'one'
    if (counts[form] === enough) continue
    const members = await twoMembers(known, makers, run)
    if (members === null) continue
    counts[form] += 1
    const relationship = { owner: url, name, url: address.url, isToMany, members }
    if (isToMany) await checkToMany(relationship, run)
    else await checkToOne(relationship, run)
  }
}

/** Returns two members: new resources if they can be created, since existing ones would lose their owner. */
async function twoMembers(
  relation: KnownRelation | undefined,
  makers: ReadonlyMap<string, Maker>,
  run: WriteRun,
): Promise<Relationship['members'] | null> {
  const [type] = relation?.types ?? []
  if (type === undefined) return null
  const maker = makers.get(type)
  const made = maker === undefined ? [] : [...(await makeMember(maker, run)), ...(await makeMember(maker, run))]
  const known = [...(run.knowledge.types.get(type)?.resources.keys() ?? [])].map((id) => ({ type, id }))
  const linked = relation?.samples.flatMap(({ data }) => identifiersIn(data)) ?? []
  const all = [...made, ...known, ...linked]
  const [first] = all
  const second = all.find((each) => each.type === first?.type && each.id !== first.id)
  return first === undefined || second === undefined ? null : [first, second]
}

async function makeMember(maker: Maker, run: WriteRun): Promise<readonly Identity[]> {
  const exchange = await write(run, maker.url, { method: 'POST', document: maker.fresh() }, 'create-http-semantics')
  const document = exchange?.document
  return exchange?.response.status === 201 && isJsonObject(document) ? identifiersIn(document['data']) : []
}

type Method = 'POST' | 'PATCH' | 'DELETE'

function change({ url }: Relationship, method: Method, document: unknown, run: WriteRun): Promise<Exchange | null> {
  return write(run, url, { method, document }, 'update-relationship-http-semantics')
}

function isSuccess(exchange: Exchange): boolean {
  return exchange.response.status >= 200 && exchange.response.status < 300
}

/** Returns the linkage at the address of a relationship; `null` if it cannot be read. */
async function linkage({ url }: Relationship, run: WriteRun): Promise<readonly Identity[] | null> {
  const exchange = await run.sender.send(url)
  const document = exchange === null ? null : dataDocument(exchange)
  return document === null || 'next' in linksOf(document) ? null : identifiersIn(document['data'])
}

/** Judges a successful change, and returns the linkage after it. */
async function judgeChange(exchange: Exchange, relationship: Relationship, run: WriteRun) {
  const { ledger } = run
  const { status } = exchange.response
  if (status === 202) {
    ledger.observe('updating-relationship-202-status')
    return null
  }
  const now = await linkage(relationship, run)
  ledger.expect('updating-relationship-204-status', status === 200 || status === 204, {
    problem: `${responded(exchange)}, not 200 or 204.`,
    exchange,
  })
  const document = dataDocument(exchange)
  if (document !== null && now !== null && !('next' in linksOf(document))) {
    ledger.expect('updating-relationship-200-response', isSameSet(identifiersIn(document['data']), now), {
      problem: `${responded(exchange)} with other linkage than a GET request shows after it.`,
      pointer: '/data',
      exchange,
    })
  } else if (status === 200) ledger.observe('updating-relationship-200-meta', 'updating-relationship-200-meta-content')
  return now
}

async function checkToOne(relationship: Relationship, run: WriteRun): Promise<void> {
  const [member] = relationship.members
  const before = await readSubject(relationship.owner, run)
  const exchange = await change(relationship, 'PATCH', { data: member }, run)
  // Servers refuse changes of read-only relationships with different statuses.
  if (exchange === null || !isSuccess(exchange)) return
  const now = await judgeChange(exchange, relationship, run)
  if (now !== null) {
    for (const statement of ['respond-patch-to-one-relationship-link', 'patch-to-one-response'] as const) {
      run.ledger.expect(statement, isSameSet(now, [member]), {
        problem: `${responded(exchange)}, but the relationship '${relationship.name}' has another member after it.`,
        exchange,
      })
    }
  }
  const after = await readSubject(relationship.owner, run)
  const related = [before, after].map((subject) => {
    return subject === null
      ? null
      : relationshipsOf(subject.resource).find(({ name }) => name === relationship.name)?.related
  })
  if (related[0] && related[1]) {
    run.ledger.expect('resource-related-resource-link-change', related[0] === related[1], {
      problem: `${responded(exchange)}, and the link 'related' of '${relationship.name}' is ${related[1]} instead of ${related[0]}.`,
      exchange,
    })
  }
  await checkRemoval(relationship, run)
  await checkData(relationship, ['PATCH'], 'patch-to-one-data-member', run)
}

async function checkRemoval(relationship: Relationship, run: WriteRun): Promise<void> {
  const exchange = await change(relationship, 'PATCH', { data: null }, run)
  if (exchange === null || !isSuccess(exchange)) return
  const now = await judgeChange(exchange, relationship, run)
  if (now === null) return
  run.ledger.expect('respond-patch-to-one-relationship-link', now.length === 0, {
    problem: `${responded(exchange)} to null, but the relationship '${relationship.name}' is not empty after it.`,
    exchange,
  })
}

/** Checks that requests without members are refused. */
async function checkData(
  relationship: Relationship,
  methods: readonly Method[],
  statement: StatementId,
  run: WriteRun,
): Promise<void> {
  for (const method of methods) {
    const exchange = await change(relationship, method, {}, run)
    if (exchange !== null && ![403, 405].includes(exchange.response.status))
      expectRefused(exchange, { statement, content: 'no member data' }, run)
  }
}

async function checkToMany(relationship: Relationship, run: WriteRun): Promise<void> {
  const [first, second] = relationship.members
  const added = await change(relationship, 'POST', { data: [first] }, run)
  if (added === null) return
  const isOpen = isSuccess(added)
  if (isOpen) {
    run.ledger.observe('respond-patch-post-delete-to-many-relationship-link')
    await expectMembers(added, relationship, { statement: 'post-to-many-add', has: [first] }, run)
    await checkAgain(relationship, run)
  }
  const replaced = await change(relationship, 'PATCH', { data: [second] }, run)
  if (replaced === null) return
  if (isSuccess(replaced)) {
    run.ledger.observe('respond-patch-post-delete-to-many-relationship-link')
    const expected = { statement: 'patch-to-many-complete-replace', has: [second], lacks: [first] } as const
    await expectMembers(replaced, relationship, expected, run)
  } else if (replaced.response.status === 403) run.ledger.observe('patch-to-many-complete-replace')
  if (!isOpen) return
  await change(relationship, 'POST', { data: [first] }, run)
  await checkDeletion(relationship, run)
  await checkData(relationship, ['POST', 'PATCH', 'DELETE'], 'patch-post-delete-to-many-data-member', run)
}

/** Checks that adding an existing member changes nothing, and succeeds. */
async function checkAgain(relationship: Relationship, run: WriteRun): Promise<void> {
  const [first] = relationship.members
  const again = await change(relationship, 'POST', { data: [first] }, run)
  if (again === null || isInconclusive(again)) return
  run.ledger.expect('post-to-many-response', isSuccess(again), {
    problem: `${responded(again)}, although the relationship has the member already.`,
    exchange: again,
  })
  const now = await linkage(relationship, run)
  if (now === null) return
  run.ledger.expect('post-to-many-add-again', now.filter((each) => keyOf(each) === keyOf(first)).length <= 1, {
    problem: `${responded(again)}, and the relationship '${relationship.name}' has the member twice after it.`,
    exchange: again,
  })
}

async function checkDeletion(relationship: Relationship, run: WriteRun): Promise<void> {
  const [first] = relationship.members
  const removed = await change(relationship, 'DELETE', { data: [first] }, run)
  if (removed?.response.status === 403) run.ledger.observe('delete-to-many')
  if (removed === null || !isSuccess(removed)) return
  await expectMembers(removed, relationship, { statement: 'delete-to-many', lacks: [first] }, run)
  const again = await change(relationship, 'DELETE', { data: [first] }, run)
  if (again === null || isInconclusive(again)) return
  run.ledger.expect('delete-to-many-success', isSuccess(again), {
    problem: `${responded(again)}, although the member is missing already.`,
    exchange: again,
  })
}

interface ExpectedMembers {
  readonly statement: StatementId
  readonly has?: readonly Identity[]
  readonly lacks?: readonly Identity[]
}

async function expectMembers(
  exchange: Exchange,
  relationship: Relationship,
  { statement, has = [], lacks = [] }: ExpectedMembers,
  run: WriteRun,
): Promise<void> {
  const now = await judgeChange(exchange, relationship, run)
  if (now === null) return
  const keys = new Set(now.map(keyOf))
  const isExpected = has.every((each) => keys.has(keyOf(each))) && lacks.every((each) => !keys.has(keyOf(each)))
  run.ledger.expect(statement, isExpected, {
    problem: `${responded(exchange)}, but the relationship '${relationship.name}' has other members after it.`,
    exchange,
  })
}
