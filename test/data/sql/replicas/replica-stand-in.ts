import { openPool } from '../../../support/open-databases.js'
import { type ScratchSchema, scratchSchema } from '../../../support/scratch-schema.js'

/** A position that no log reaches, and one that every log has passed. */
export const farAhead = 'FFFFFFFF/0'
export const farBehind = '0/1'

/** Functions that shadow those of PostgreSQL, as on a server in recovery. The test decides what they return. */
const recovery = `
  create table recovery (is_in_recovery boolean, position pg_lsn);
  insert into recovery values (true, '${farAhead}');
  create sequence asked;
  create function pg_is_in_recovery() returns boolean language sql volatile
    as $$ select is_in_recovery from recovery where nextval('asked') > 0 $$;
  create function pg_last_wal_replay_lsn() returns pg_lsn language sql volatile as $$ select position from recovery $$`

/** A schema that represents a replica. */
export interface ReplicaStandIn extends ScratchSchema {
  /** Runs a statement there. */
  run(statement: string): Promise<void>
  /** Sets how far it has replayed the log. */
  reaches(position: string): Promise<void>
  /** Returns how often its position was queried. */
  positionQueries(): Promise<number>
}

export async function replicaStandIn(tables = ''): Promise<ReplicaStandIn> {
  const schema = await functionSchema()
  const { name } = schema
  const run = async (statement: string): Promise<void> => {
    await openPool().query(`set search_path = ${name}, pg_catalog; ${statement}; reset search_path`)
  }
  await run(`${recovery}; ${tables}`)
  return {
    ...schema,
    run,
    reaches: (position) => run(`update recovery set position = '${position}'`),
    async positionQueries() {
      const { rows } = await openPool().query<{ count: string }>(
        `select case when is_called then last_value else 0 end as count from ${name}.asked`,
      )
      return Number(rows[0]?.count)
    },
  }
}

/** A schema whose functions are found before those of the system. */
async function functionSchema(): Promise<ScratchSchema> {
  const schema = await scratchSchema()
  const url = new URL(schema.url)
  url.searchParams.set('options', `-c search_path=${schema.name},pg_catalog`)
  return { ...schema, url: url.href }
}
