import { DatabaseSync } from '@photostructure/sqlite'
import { musicServer } from './service.js'
import { settings } from './settings.js'
import { dataIn } from './storage/storage.js'

const storage = { engine: 'sqlite', ...dataIn(new DatabaseSync(':memory:')) } as const

/**
 * The catalogue for `npm run openapi`, which writes its OpenAPI documents. Nothing is read from the empty database. The links do not
 * depend on the environment, so that the documents are the same on every machine.
 */
export const server = musicServer(storage, null, { ...settings, links: { baseUri: '', trustProxy: false } })
