import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

const albums = defineResource('albums', { model: table<{ id: number }>('albums'), id: id() })

/** No server listens on port 1. */
export const server = () =>
  createServer({ resources: [albums], data: sqlData(new Pool({ host: '127.0.0.1', port: 1, user: 'nobody' })) })
