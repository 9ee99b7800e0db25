import { DatabaseSync } from '@photostructure/sqlite'
import { musicServer } from './service.js'
import { settings } from './settings.js'
import { dataIn } from './storage/storage.js'

const storage = { engine: 'sqlite', ...dataIn(new DatabaseSync(':memory:')) } as const

/**
 * The catalogue for `npm run openapi`, which describes it. Nothing is read from the empty database, and the environment has no say in
 * links, so that the documents are the same everywhere.
 */
export const server = musicServer(storage, null, { ...settings, links: { baseUri: '', trustProxy: false } })
