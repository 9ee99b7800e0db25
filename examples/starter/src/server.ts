import { existsSync } from 'node:fs'
import { openDatabase } from './database.js'
import { createService } from './service.js'

// Variables of the environment win.
if (existsSync('.env')) process.loadEnvFile('.env')

export const database = openDatabase()
export const server = createService(database.data)

/** `ashlar dev` calls this function before it serves. */
export const migrate = () => database.migrate()
