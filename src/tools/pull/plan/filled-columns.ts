import type { SchemaColumn } from '../../../stores/sql/schema/database-schema.js'
import type { ServedTable } from './served-tables.js'
import type { TypeFields } from './type-fields.js'
import { wordsOf } from './words.js'

/** The columns of times that the service fills, because the database does not. */
export interface FilledColumns {
  /** Filled when a row is created. */
  readonly created: readonly SchemaColumn[]
  /** Filled when a row is created or updated. */
  readonly updated: readonly SchemaColumn[]
}

const createdName = /^(?:created|inserted) (?:at|on|date)$|^(?:date created|creation date)$/

const updatedName =
  /^(?:last )?(?:updated|modified) (?:at|on|date)$|^last (?:updated?|modified)$|^date (?:updated|modified)$/

/** Finds columns such as `created_at` that have no default, so that the application which uses the database fills them. */
export function filledColumns({ key, readOnlyBecause }: ServedTable, { attributes }: TypeFields): FilledColumns {
  const times = [...attributes.keys()].filter((column) => {
    const isTime = column.type === 'instant' || column.type === 'timestamp'
    return isTime && !column.hasDefault && column.generated === undefined && !key.includes(column)
  })
  const named = (pattern: RegExp): readonly SchemaColumn[] =>
    readOnlyBecause === null ? times.filter(({ name }) => pattern.test(wordsOf(name).join(' '))) : []
  return { created: named(createdName), updated: named(updatedName) }
}
