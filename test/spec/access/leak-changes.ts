import type { JoinName, JoinRow, Row, Rows, TypeName } from './leak-rows.js'
import { isTypeName, joinedMember, joinNames, typeNames } from './leak-rows.js'
import type { Request } from './leak-requests.js'
import type { CallerId, RuleAbility, Rules } from './leak-rules.js'
import { holds, isVisible, mayStay } from './leak-rules.js'

/** The rows that a caller reads, under some rules. */
export interface World {
  readonly rules: Rules
  readonly rows: Rows
  readonly caller: CallerId
}

/** Returns which row has changed though the caller may not change it; `null` if there is none. */
export function changeProblems(before: World, after: World): string | null {
  for (const type of typeNames) {
    for (const row of before.rows[type]) {
      const now = after.rows[type].find(({ id }) => id === row.id)
      const problem = rowProblem({ type, row, now }, before, after)
      if (problem !== null) return `${type} ${row.id}: ${problem}`
    }
    const old = new Set(before.rows[type].map(({ id }) => id))
    for (const row of after.rows[type].filter(({ id }) => !old.has(id))) {
      if (!may('create', { type, row }, after)) return `${type} ${row.id} is new, and may not be created`
      if (!sees({ type, row }, after)) return `${type} ${row.id} is new, and out of sight`
      if (row.secret !== null && row.secret !== undefined && !mayReveal({ type, row }, after)) {
        return `${type} ${row.id} is new, and lacks 'reveal' for its secret`
      }
      const ofAlbum = albumProblem(type, [row], before, after)
      if (ofAlbum !== null) return `${type} ${row.id} is new: ${ofAlbum}`
      const isLinked = row.favouriteId !== null && row.favouriteId !== undefined
      if (isLinked && after.rules[type].isGuarded && !may('alter', { type, row }, after)) {
        return `${type} ${row.id} is new, and lacks 'alter' for its favourite`
      }
    }
  }
  for (const name of joinNames) {
    const problem = joinProblem(name, before, after)
    if (problem !== null) return problem
  }
  return null
}

interface Of {
  readonly type: TypeName
  readonly row: Row
}

const may = (ability: RuleAbility, { type, row }: Of, { rules, rows, caller }: World): boolean =>
  holds(ability, { type, row, rows, rules, caller })

const sees = ({ type, row }: Of, { rules, rows, caller }: World): boolean =>
  isVisible({ type, row, rows, rules, caller })

const valueText = (value: unknown): string => JSON.stringify(value ?? null)

/** The columns that differ. A column that is null may be missing. */
function differing(row: Row, now: Row): readonly string[] {
  const names = [...new Set([...Object.keys(row), ...Object.keys(now)])] as (keyof Row)[]
  return names.filter((name) => valueText(row[name]) !== valueText(now[name]))
}

function rowProblem(
  { type, row, now }: Of & { readonly now: Row | undefined },
  before: World,
  after: World,
): string | null {
  const was = { type, row }
  const columns = now === undefined ? [] : differing(row, now)
  if (now !== undefined && columns.length === 0) return null
  if (!sees(was, before)) return `is changed (${columns.join(', ')}), and is out of sight`
  if (now === undefined) {
    return may('delete', was, before) || may('forceDelete', was, before) ? null : 'may not be deleted'
  }
  if (columns.includes('deletedAt') && columns.length === 1) {
    const ability = now.deletedAt === null || now.deletedAt === undefined ? 'restore' : 'delete'
    return may(ability, was, before) ? null : `lacks '${ability}'`
  }
  const guarded = guardedProblem({ was, now, columns }, before, after)
  if (guarded !== null) return guarded
  const ofAlbum = columns.includes('albumId') ? albumProblem(type, [row, now], before, after) : null
  if (ofAlbum !== null) return ofAlbum
  const is = { type, row: now }
  if (!sees(is, after)) return 'is out of sight after the change'
  const ofRelations = new Set(before.rules[type].isGuarded ? ['favouriteId', 'revision'] : ['revision'])
  const isOfRelation = columns.every((column) => ofRelations.has(column))
  if (isOfRelation) return null
  if (!may('update', was, before)) return `is changed (${columns.join(', ')}), and may not be`
  const { rules, rows, caller } = after
  return mayStay({ type, row: now, rules, rows, caller }) ? null : 'may not be so after the change'
}

interface Changed {
  readonly was: Of
  readonly now: Row
  readonly columns: readonly string[]
}

const mayReveal = (of: Of, world: World): boolean => !world.rules[of.type].isGuarded || may('reveal', of, world)

/** The relation of an album to its tracks may need its own ability, whichever side of it is written. */
function albumProblem(type: TypeName, tracks: readonly Row[], before: World, after: World): string | null {
  if (type !== 'tracks' || !before.rules.albums.isGuarded) return null
  for (const key of new Set(tracks.map(({ albumId }) => albumId))) {
    const [was, is] = [before, after].map(({ rows }) => rows.albums.find(({ id }) => id === key))
    const mayBefore = was !== undefined && may('alter', { type: 'albums', row: was }, before)
    const mayAfter = is !== undefined && may('alter', { type: 'albums', row: is }, after)
    if ((was ?? is) !== undefined && !mayBefore && !mayAfter) return `album ${key} lacks 'alter' for its tracks`
  }
  return null
}

/**
 * Whether a request names a track of an album that the caller cannot see, and may not arrange. To take such a track is denied, though
 * the caller cannot know why.
 */
export function namesTrackOfHiddenAlbum(world: World, { path, body }: Request): boolean {
  if (!world.rules.albums.isGuarded) return false
  const sent = `${path} ${JSON.stringify(body ?? {})}`
  return world.rows.tracks.some(({ id, albumId }) => {
    const row = world.rows.albums.find((album) => album.id === albumId)
    if (row === undefined || sees({ type: 'albums', row }, world) || may('alter', { type: 'albums', row }, world))
      return false
    return new RegExp(`/tracks/${id}\\b|"type":"tracks","id":"${id}"`).test(sent)
  })
}

/** An earlier operation of a batch may have given the caller the ability. */
function guardedProblem({ was, now, columns }: Changed, before: World, after: World): string | null {
  if (!before.rules[was.type].isGuarded) return null
  const has = (ability: RuleAbility): boolean => may(ability, was, before) || may(ability, { ...was, row: now }, after)
  if (columns.includes('secret') && !has('reveal')) return "lacks 'reveal' for its secret"
  return columns.includes('favouriteId') && !has('alter') ? "lacks 'alter' for its favourite" : null
}

/** A join row without its key. */
function text(row: JoinRow): string {
  return JSON.stringify({ ...row, id: 0 }, Object.keys(row).toSorted())
}

function joinProblem(name: JoinName, before: World, after: World): string | null {
  const [old, now] = [before.rows[name], after.rows[name]]
  const [oldTexts, nowTexts] = [new Set(old.map(text)), new Set(now.map(text))]
  const changed = [...old.filter((row) => !nowTexts.has(text(row))), ...now.filter((row) => !oldTexts.has(text(row)))]
  for (const row of changed) {
    const isGuarded = before.rules.playlists.isGuarded && guardedJoins.has(name)
    const problem = endProblem('playlists', row.playlistId, isGuarded ? 'alter' : 'update', { before, after })
    if (problem !== null) return `${name} ${text(row)}: ${problem}`
    const [member, key] = joinedMember(name, row)
    if (!isTypeName(member) || key === undefined) return `${name} ${text(row)} leads nowhere`
    const ofMember =
      name === 'entries'
        ? endProblem(member, key, 'update', { before, after })
        : unseenProblem(member, key, before, after)
    if (ofMember !== null) return `${name} ${text(row)}: ${ofMember}`
    const leftBehind =
      leftProblem({ type: 'playlists', key: row.playlistId, hasOwnAbility: isGuarded }, before, after) ??
      (name === 'entries' ? leftProblem({ type: member, key, hasOwnAbility: false }, before, after) : null)
    if (leftBehind !== null) return `${name} ${text(row)}: ${leftBehind}`
  }
  return null
}

/** The relations of playlists that need their own ability, if playlists are guarded. */
const guardedJoins: ReadonlySet<JoinName> = new Set(['entries', 'guests'])

/** Both ends show the join rows: the caller must be allowed to change both. New ones it has been allowed to create. */
function endProblem(
  type: TypeName,
  key: number,
  ability: 'update' | 'alter',
  { before, after }: { readonly before: World; readonly after: World },
): string | null {
  const row = before.rows[type].find(({ id }) => id === key)
  if (row === undefined) {
    const made = after.rows[type].find(({ id }) => id === key)
    if (ability === 'alter' && made !== undefined && !may('alter', { type, row: made }, after)) {
      return `${type} ${key} is new, and lacks 'alter'`
    }
    return unseenProblem(type, key, before, after)
  }
  if (!sees({ type, row }, before)) return `${type} ${key} is out of sight`
  return may(ability, { type, row }, before) ? null : `${type} ${key} lacks '${ability}'`
}

interface JoinEnd {
  readonly type: TypeName
  readonly key: number
  /** Whether a change needs another ability than `update`. */
  readonly hasOwnAbility: boolean
}

/** Both ends of a join row are rows that the write leaves behind, if both show it. */
function leftProblem({ type, key, hasOwnAbility }: JoinEnd, before: World, after: World): string | null {
  const { rules, rows, caller } = after
  const row = rows[type].find(({ id }) => id === key)
  const isNew = !before.rows[type].some(({ id }) => id === key)
  if (row === undefined || isNew) return null
  const question = { type, row, rules, rows, caller }
  if (!isVisible(question)) return `${type} ${key} is out of sight afterwards`
  return hasOwnAbility || mayStay(question) ? null : `${type} ${key} may not be so afterwards`
}

function unseenProblem(type: TypeName, key: number, before: World, after: World): string | null {
  const row = before.rows[type].find(({ id }) => id === key) ?? after.rows[type].find(({ id }) => id === key)
  if (row === undefined) return null
  return sees({ type, row }, before) || sees({ type, row }, after) ? null : `${type} ${key} is out of sight`
}
