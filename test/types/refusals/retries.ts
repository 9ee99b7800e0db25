import { createServer, defineResource } from 'ashlar'
import { idempotencyTable, sqlData } from 'ashlar/sql'
import { Pool } from 'pg'
import { album } from './albums.js'

const albums = defineResource('albums', { ...album })

export const right = createServer({
  resources: [albums],
  versions: 'declared',
  idempotency: { expiresAfter: 60, callerKey: (caller) => JSON.stringify(caller) },
  servers: { admin: { prefix: '/admin', idempotency: true } },
  data: sqlData(new Pool(), { idempotencyTable: 'music.keys' }),
})

export const misspelt = createServer({
  resources: [albums],
  // refuses: 'expiresIn' does not exist in type 'IdempotencySettings'
  idempotency: { expiresIn: 60 },
})

export const wrongValues = createServer({
  resources: [albums],
  idempotency: {
    // refuses: Type 'string' is not assignable to type 'number'.
    expiresAfter: '1h',
    // refuses: Type 'number' is not assignable to type 'string'.
    callerKey: () => 5,
  },
  // refuses: Type '"column"' is not assignable to type '"declared" | "hash"'
  versions: 'column',
  // refuses: Type 'string' is not assignable to type 'boolean'.
  dryRun: 'yes',
})

export const named = createServer({
  resources: [albums],
  // refuses: Type 'string' is not assignable to type 'boolean | IdempotencySettings'
  servers: { admin: { idempotency: 'on' } },
})

// refuses: Type 'number' is not assignable to type 'string'.
export const table = sqlData(new Pool(), { idempotencyTable: 5 })

// refuses: Argument of type '"oracle"' is not assignable to parameter of type
export const statements = idempotencyTable('oracle')

export const noColumn = defineResource('albums', {
  ...album,
  // refuses: Type '"lockVersion"' is not assignable to type 'Version<AlbumRow>'.
  version: 'lockVersion',
})

export const wrongHash = defineResource('albums', {
  ...album,
  // refuses: Type 'string' is not assignable to type 'true'.
  version: { hash: 'sha256' },
})

export const required = defineResource('albums', {
  ...album,
  // refuses: Type 'string' is not assignable to type 'boolean | undefined'.
  version: { hash: true, required: 'yes' },
})

export const reads = defineResource('albums', {
  ...album,
  // refuses: Type '"title"' is not assignable to type 'InstantColumn<AlbumRow>'.
  lastModified: 'title',
  // refuses: Type 'string' is not assignable to type 'boolean'.
  collectionTags: 'weak',
})
