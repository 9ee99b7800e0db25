import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { idempotencyTable } from 'ashlar/sql'
import { inject } from 'vitest'
import { scratchSchema } from '../support/scratch-schema.js'
import { madeMusic, type OpenMusic } from '../support/sql-music.js'

/** A music database that several processes can open. */
export interface StormDatabase {
  /** The argument of a process. */
  readonly address: string
  /** The same for the test itself. */
  readonly music: OpenMusic
  remove(): Promise<void>
}

/** Gives artists a version. */
const versioning = 'alter table artists add column lock_version integer not null default 1'

async function postgres(tracks: number): Promise<StormDatabase> {
  const schema = await scratchSchema()
  const music = await madeMusic(schema.url, tracks)
  for (const statement of [versioning, ...idempotencyTable('postgres')]) await music.rows(statement)
  return {
    address: schema.url,
    music,
    async remove() {
      await music.close()
      await schema.drop()
    },
  }
}

async function sqlite(tracks: number): Promise<StormDatabase> {
  const folder = mkdtempSync(join(inject('runFolder'), 'storm-'))
  const address = join(folder, 'music.db')
  const music = await madeMusic(address, tracks)
  for (const statement of [versioning, ...idempotencyTable('sqlite')]) await music.rows(statement)
  return {
    address,
    music,
    async remove() {
      await music.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const stormDatabases = [
  ['PostgreSQL', postgres],
  ['SQLite', sqlite],
] as const
