import { createServer } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { authentication } from './authentication.js'
import { albums } from './resources/albums.js'
import { artists } from './resources/artists.js'

/** Builds the service over a store: the database, or a memory store for tests. */
export function createService(data: DataSource) {
  return createServer({
    resources: [albums, artists],
    data,
    middleware: [authentication],
    // Everybody may read, and only callers may write. A type may declare its own policy. To hide everything from strangers, replace both
    // true by p.signedIn(). To let everybody write, too, replace this line by policy: 'public'.
    policy: (p) => ({ viewAny: true, view: true, create: p.signedIn(), update: p.signedIn(), delete: p.signedIn() }),
    // A page parameter that no list reads is an error, and not the first page again.
    strictPages: true,
    // Encrypts cursors. All processes of the service need the same one, of at least 16 characters.
    secret: process.env['SECRET'],
    openapi: { title: 'Music', viewer: true },
  })
}
