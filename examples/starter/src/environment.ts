import { existsSync } from 'node:fs'

/** Sets the variables of the file `.env` that are not set yet. Import this file before all files that read variables. */
if (existsSync('.env')) process.loadEnvFile('.env')
