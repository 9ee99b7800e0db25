import { sql, type Kysely } from 'kysely'
import type { Tables } from './tables.js'

/** `Björk` becomes `bjork`, `Miles Davis` becomes `miles-davis`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[a-z0-9]+/g)?.join('-') ?? 'unnamed'
}

/**
 * Returns a slug that no artist has: the slug itself, or the slug with the next number at its end. One statement reads a range of
 * the index of slugs. The range ends before `slug.`, because of all characters in slugs only the hyphen sorts before the full stop.
 */
export async function freeSlug(slug: string, db: Kysely<Tables>): Promise<string> {
  const number = sql`substr(slug, ${slug.length + 2})`
  const { rows } = await sql<{ plain: number | null; last: number | null }>`
    select
      max(case when slug = ${slug} then 1 end) as plain,
      max(case when ${number} <> '' and ltrim(${number}, '0123456789') = '' then cast(${number} as integer) end) as last
    from artists
    where slug >= ${slug} and slug < ${`${slug}.`} and length(slug) < ${slug.length + 11}`.execute(db)
  const [found] = rows
  return found?.plain === 1 ? `${slug}-${Math.max(found.last ?? 1, 1) + 1}` : slug
}

/** Returns the slug without numbers at its end. Artists of different families never get the same slug. */
export function slugFamily(slug: string): string {
  return slug.replace(/(?:-\d+)+$/, '')
}
