import { createServer } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { albums } from './resources/albums.js'
import { artists } from './resources/artists.js'

/** Builds the service over a store: the database, or a memory store for tests. */
export function createService(data: DataSource) {
  return createServer({
    resources: [albums, artists],
    data,
    // Prints the cause of each response with the status 500.
    logger: console,
    // Encrypts cursors. Set it in production: a random text of at least 16 characters, the same in all processes.
    secret: process.env['SECRET'],
    openapi: { title: 'Music', viewer: true },
  })
}
