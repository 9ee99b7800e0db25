import type { AnyResource } from 'ashlar'
import type { ResolvedTables } from '../../../../src/stores/sql/schema/resolve-tables.js'
import { readTables } from '../../../../src/stores/sql/schema/resolve-tables.js'
import type { SqlTable } from '../../../../src/stores/sql/schema/sql-table.js'
import type { StoreDeclarations } from '../../../../src/stores/sql/schema/wanted-tables.js'
import { compileType } from '../../../../src/server/assembly/compile/compile-type.js'
import type { RawDeclaration } from '../../../../src/declare/resource/define/raw-declaration.js'
import { addForeignColumns } from '../../../../src/declare/resource/compiled/add-foreign-columns.js'
import type { ScratchDatabase } from './scratch-databases.js'

/** The names of the models of tables. */
export function namesOf({ tables }: ResolvedTables): readonly string[] {
  return [...tables.keys()].map((model) => (typeof model === 'string' ? model : model.name))
}

/** The table of the model of a name. */
export function tableNamed({ tables }: ResolvedTables, name: string): SqlTable | undefined {
  return [...tables].find(([model]) => model === name || (typeof model !== 'string' && model.name === name))?.[1]
}

interface Declared extends Partial<Omit<StoreDeclarations, 'types'>> {
  readonly resources?: readonly AnyResource[]
}

/** Holds declarations against a database that the statements make. */
export async function resolved(
  open: () => Promise<ScratchDatabase>,
  statements: readonly string[],
  { resources = [], ...world }: Declared,
): Promise<ResolvedTables> {
  const made = await open()
  try {
    for (const statement of statements) await made.run(statement)
    const types = addForeignColumns(resources.map((resource) => compileType(resource as unknown as RawDeclaration)))
    return await readTables(made.driver, { types, models: [], naming: 'same', schema: null, ...world })
  } finally {
    await made.end()
  }
}
