/** How many resources the generated API has. */
export const resources = 60

/** Twenty attributes of mixed kinds and modifiers, and the columns behind them. */
export const attributes: readonly (readonly [column: string, attribute: string])[] = [
  ['title: string', 'title: a.string().required().maxLength(200).sortable()'],
  ['slug: string', 'slug: a.slug().unique().readOnlyOnUpdate()'],
  ['subtitle: string | null', 'subtitle: a.string().nullable().minLength(1)'],
  ['contact: string', 'contact: a.email().strict().hidden((row) => row.live)'],
  ['website: string | null', "website: a.url().nullable().allowedSchemes('https')"],
  ['code: string', "code: a.uuid().version(4).describedAs('A code.')"],
  ['address: string', 'address: a.ip().v4().writeOnly()'],
  ['year: number', 'year: a.integer().min(1900).max(2100).sortable()'],
  ['price: string', 'price: a.decimal().exclusiveMin(0).requiredOnCreate()'],
  ['live: boolean', 'live: a.boolean().readOnly()'],
  ['releasedAt: Date | null', "releasedAt: a.dateTime().nullable().after('1900-01-01T00:00:00Z').sortable()"],
  ['day: Date', 'day: a.date().sparseByDefault()'],
  ['opensAt: string', "opensAt: a.time().format('HH:mm')"],
  ['tags: string[]', 'tags: a.arrayList().minItems(1).uniqueItems()'],
  ['extra: object', 'extra: a.arrayHash().maxProperties(10)'],
  ['state: string', "state: a.string().in(['upcoming', 'released', 'withdrawn'])"],
  ['label: string; shelf: number', 'info: a.map().fields({ label: a.string(), shelf: a.integer() })'],
  ['size: object', 'size: a.object().fields({ width: a.integer().required(), height: a.integer() })'],
  [
    'medium: object',
    "medium: a.oneOf().variant('disc', { sides: a.integer() }).variant('file', { format: a.string() })",
  ],
  ['hash: string', 'display: a.string().computed((row) => `${row.title} (${row.year})`)'],
]

function resource(index: number): string {
  const other = (step: number) => `types${(index + step) % resources}`
  return `
interface Row${index} { id: number; ownerId: number | null; ${attributes.map(([column]) => column).join('; ')} }
export const types${index} = defineResource('types${index}', {
  model: model<Row${index}>('types${index}'),
  id: id(),
  attributes: (a) => ({
    ${attributes.map(([, attribute]) => attribute).join(',\n    ')},
  }),
  relations: (r) => ({
    owner: r.belongsTo('${other(1)}').via('ownerId').required(),
    parts: r.hasMany('${other(2)}').via('ownerId').minItems(1).countable(),
    friends: r.belongsToMany('${other(3)}').through('friends', { owner: 'a', member: 'b' }).cannotRemove((row) => row.live),
    subject: r.morphTo(['${other(4)}', '${other(5)}']).cannotBeIncluded(),
  }),
  filters: (f) => ({ title: f.contains('title'), year: f.range('year') }),
  sorts: (s) => ({ newest: s.field('releasedAt') }),
  defaultSort: ['-newest', 'title'],
  defaultIncludes: ['owner'],
})
`
}

const names: readonly string[] = Array.from({ length: resources }, (_, index) => `types${index}`)

/**
 * Returns a module with an API of 60 resources, each with 20 attributes of mixed kinds and modifiers, and 4 relations.
 *
 * @param data the store, if the server is built: `memoryData()`
 */
export function generatedApi(data = ''): string {
  return `
import { createServer, defineResource, id, model } from 'ashlar'
${data === '' ? '' : "import { memoryData } from 'ashlar/memory'"}
${names.map((_, index) => resource(index)).join('')}
export const server = createServer({ resources: [${names.join(', ')}]${data === '' ? '' : `, data: ${data}`} })
`
}

/** Returns 90 calls of a client of this API: reads three relations deep, reads with fieldsets, and writes. */
export function generatedCalls(): string {
  const called = names.filter((_, index) => index % 2 === 0)
  return called
    .map((type, index) => {
      const [owner = '', part = ''] = [1, 2].map((step) => names[(index * 2 + step) % resources])
      return `
export const read${index} = async () => {
  const page = await types.${type}.list({
    include: ['owner.parts.friends', 'friends.owner'], filter: { title: 'x', year: { min: 1990 } }, sort: ['-newest', 'title'], page: { number: 2 },
  })
  return page.data[0]?.owner?.parts[0]?.friends[0]?.title
}
export const select${index} = async () => {
  const found = await types.${type}.get('1', { include: ['parts'], fields: { ${type}: ['title', 'parts'], ${part}: ['year'] } })
  return [found.data.title, found.data.parts[0]?.year]
}
export const write${index} = async () => {
  const made = await types.${type}.create({
    attributes: { title: 'Dummy', price: 9.5, size: { width: 3 } }, relationships: { owner: { type: '${owner}', id: '1' } },
  })
  return made.data.display
}
`
    })
    .join('')
}

/** Returns 30 queries and mutations of TanStack Query for this API: pages three relations deep, infinite queries with fieldsets, and writes. */
export function generatedQueries(): string {
  return Array.from({ length: 10 }, (_, index) => {
    const [type = '', owner = '', part = ''] = [0, 1, 2].map((step) => names[(index * 6 + step) % resources])
    return `
export const list${index} = () =>
  cache.getQueryData(types.${type}.list({ include: ['owner.parts.friends', 'friends.owner'], sort: ['-newest'] }).queryKey)
    ?.data[0]?.owner?.parts[0]?.friends[0]?.title
export const pages${index} = () =>
  cache.getQueryData(types.${type}.infinite({ include: ['parts'], fields: { ${type}: ['title', 'parts'], ${part}: ['year'] } }).queryKey)
    ?.pages[0]?.data[0]?.parts[0]?.year
export const write${index} = async () => {
  const made = await new MutationObserver(cache, types.${type}.create()).mutate({
    attributes: { title: 'Dummy', price: 9.5, size: { width: 3 } }, relationships: { owner: { type: '${owner}', id: '1' } },
  })
  return made.data.display
}
`
  }).join('')
}
