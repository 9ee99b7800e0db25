import { scratchSchema } from './scratch-schema.js'
import { madeMusic, type OpenMusic } from './sql-music.js'

/** Opens an empty music database of each engine, which is removed when it is closed. */
export const musicEngines: readonly (readonly [
  name: 'PostgreSQL' | 'SQLite',
  open: (tracks?: number) => Promise<OpenMusic>,
])[] = [
  ['PostgreSQL', postgres],
  ['SQLite', (tracks) => madeMusic(':memory:', tracks)],
]

async function postgres(tracks?: number): Promise<OpenMusic> {
  const schema = await scratchSchema()
  const music = await madeMusic(schema.url, tracks)
  return {
    ...music,
    async close() {
      await music.close()
      await schema.drop()
    },
  }
}
