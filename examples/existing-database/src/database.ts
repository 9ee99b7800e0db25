import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

const file = process.env['DATABASE_FILE'] ?? 'data/shop.db'
const isNew = !existsSync(file)
if (isNew) mkdirSync(dirname(file), { recursive: true })

export const connection = new DatabaseSync(file, { timeout: 5000 })

// In a real system, the older program has already created the database.
if (isNew) connection.exec(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8'))
