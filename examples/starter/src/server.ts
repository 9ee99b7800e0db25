import './environment.js'
import { openDatabase } from './database.js'
import { createService } from './service.js'

export const database = openDatabase()
export const server = createService(database.data)

/** `ashlar dev` calls this function before it serves. */
export const migrate = () => database.migrate()
