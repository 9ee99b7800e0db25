import './environment.js'
import { createServer } from 'ashlar'
import { sqlData } from 'ashlar/sql'
import { authentication } from './authentication.js'
import { connection } from './database.js'
import { resources } from './resources.snapshot.js'

const data = sqlData(connection, {
  naming: 'snake_case',
})

export const server = createServer({
  resources,
  data,
  middleware: [authentication],
  // The rules for all types without their own policy: callers with a token may read, and no one may write.
  // To let them write, add: create: p.signedIn(), update: p.signedIn(), delete: p.signedIn()
  // To let everyone read a type, add to its declaration: policy: () => ({ viewAny: true, view: true }),
  policy: (p) => ({ viewAny: p.signedIn(), view: p.signedIn() }),
  strictPages: true,
  // Encrypts cursors. All processes of the service need the same one, of at least 16 characters.
  secret: process.env['SECRET'],
})

export const database = {
  async close() {
    data.close()
    connection.close()
  },
}
