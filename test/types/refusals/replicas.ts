import { DatabaseSync } from '@photostructure/sqlite'
import { sqlData } from 'ashlar/sql'
import { Pool } from 'pg'

const primary = new Pool()
const file = new DatabaseSync(':memory:')

export const right = sqlData({ primary, replicas: [new Pool()], maxLag: 5000 }, { naming: 'snake_case' })

// refuses: 'replica' does not exist in type
export const misspelt = sqlData({ primary, replica: new Pool() })

// refuses: is missing in type
export const noPrimary = sqlData({ replicas: [new Pool()] })

// refuses: Type 'Pool' is missing the following properties from type 'readonly PostgresPool[]'
export const notList = sqlData({ primary, replicas: new Pool() })

// refuses: Type 'DatabaseSyncInstance' is missing the following properties from type 'PostgresPool'
export const sqlite = sqlData({ primary: file, replicas: [] })

// refuses: Type 'DatabaseSyncInstance' is missing the following properties from type 'PostgresPool'
export const sqliteReplica = sqlData({ primary, replicas: [file] })

// refuses: Type 'string' is not assignable to type 'number'.
export const lag = sqlData({ primary, replicas: [new Pool()], maxLag: '5s' })

// refuses: 'replica' does not exist in type 'SqlDataOptions'
export const option = sqlData(primary, { replica: new Pool() })
