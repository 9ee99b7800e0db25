import { createServer } from 'ashlar'
import { sqlData } from 'ashlar/sql'
import { byToken } from './access.js'
import { database } from './database.js'
import { resources } from './resources.snapshot.js'

export const server = createServer({
  resources,
  middleware: [byToken],
  data: sqlData(database, {
    naming: 'snake_case',
  }),
})
