import { isSearchColumnName } from '../../search-rules.js'
import type { DatabaseAccess } from '../../../driver/sql-statement.js'
import { readRows, rowObject } from '../../../driver/sql-statement.js'
import type { ColumnType } from '../../../schema/column-type.js'
import type { FoundTable, LiveColumn, LiveIndex, LiveTable, TableName } from '../../../schema/live-schema.js'

/**
 * Reads all tables in one statement. It queries the system catalog, because `information_schema` is slow and hides
 * objects that the database user does not own. A domain is resolved to its base type, also through several levels of
 * domains.
 */
const catalogue = `
with recursive requested as (
  select a.ordinal, c.oid, c.relname, n.nspname, c.relkind in ('v', 'f') as is_view
  from unnest($1::text[], $2::text[]) with ordinality as a(schema, name, ordinal)
  join pg_catalog.pg_class c
    on c.oid = to_regclass(coalesce(quote_ident(a.schema) || '.', '') || quote_ident(a.name))
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
),
based as (
  select t.oid as origin, t.oid, t.typtype, t.typbasetype, t.typnotnull, t.typdefault is not null as has_default
  from pg_catalog.pg_type t
  where t.oid in (
    select a.atttypid from pg_catalog.pg_attribute a
    where a.attrelid in (select oid from requested) and a.attnum > 0 and not a.attisdropped
  )
  union all
  select b.origin, t.oid, t.typtype, t.typbasetype, b.typnotnull or t.typnotnull, b.has_default
  from based b join pg_catalog.pg_type t on t.oid = b.typbasetype
  where b.typtype = 'd'
)
select
  (requested.ordinal - 1)::int4 as ordinal,
  requested.nspname::text as schema,
  requested.relname::text as name,
  (
    select coalesce(json_agg(json_build_object(
      'name', a.attname,
      'databaseType', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'base', t.typname,
      'isBuiltIn', t.typnamespace = 'pg_catalog'::regnamespace,
      'isArray', t.typelem <> 0 and t.typcategory = 'A',
      'itemBase', (
        select e.typname from pg_catalog.pg_type e
        where e.oid = t.typelem and t.typcategory = 'A' and e.typnamespace = 'pg_catalog'::regnamespace
      ),
      'nullable', not (a.attnotnull or b.typnotnull),
      'hasDefault', a.atthasdef or a.attidentity <> '' or b.has_default,
      'generated', case when a.attgenerated <> '' then 'expression' when a.attidentity = 'a' then 'identity' end,
      'labels', (
        select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid
      )
    ) order by a.attnum), '[]'::json)
    from pg_catalog.pg_attribute a
    join based b on b.origin = a.atttypid and b.typtype <> 'd'
    join pg_catalog.pg_type t on t.oid = b.oid
    where a.attrelid = requested.oid and a.attnum > 0 and not a.attisdropped
  ) as columns,
  (
    select coalesce(json_agg(json_build_object(
      'name', i.relname,
      'columns', (
        select json_agg(a.attname order by k.ordinal)
        from unnest(x.indkey::int2[]) with ordinality as k(attnum, ordinal)
        left join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum and k.attnum <> 0
        where k.ordinal <= x.indnkeyatts
      ),
      'unique', x.indisunique,
      'partial', x.indpred is not null,
      'deferrable', not x.indimmediate,
      'expressed', (
        select coalesce(json_agg(a.attname order by a.attnum), '[]'::json)
        from pg_catalog.pg_attribute a
        where a.attrelid = x.indrelid and a.attnum > 0
          and strpos(pg_catalog.pg_get_expr(x.indexprs, x.indrelid), quote_ident(a.attname)) > 0
          and exists (
            select from pg_catalog.pg_depend d
            where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = x.indexrelid
              and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = x.indrelid and d.refobjsubid = a.attnum
          )
      ),
      'sortsTexts', x.indcollation[0] = 0 or exists (
        select from pg_catalog.pg_collation c
        where c.oid = x.indcollation[0] and c.collname = 'C' and c.collnamespace = 'pg_catalog'::regnamespace
      ),
      'primary', x.indisprimary
    ) order by i.relname), '[]'::json)
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    where x.indrelid = requested.oid and x.indisvalid
  ) as indexes,
  (
    select coalesce(json_agg(json_build_object(
      'name', k.conname,
      'columns', (
        select json_agg(a.attname order by f.ordinal)
        from unnest(k.conkey) with ordinality as f(attnum, ordinal)
        join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = f.attnum
      ),
      'table', r.relname,
      'schema', (select o.nspname from pg_catalog.pg_namespace o where o.oid = r.relnamespace),
      'references', (
        select json_agg(a.attname order by f.ordinal)
        from unnest(k.confkey) with ordinality as f(attnum, ordinal)
        join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = f.attnum
      ),
      'isChecked', k.convalidated and not r.relrowsecurity
    ) order by k.conname), '[]'::json)
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class r on r.oid = k.confrelid
    where k.conrelid = requested.oid and k.contype = 'f' and k.conparentid = 0
  ) as foreign_keys,
  requested.is_view,
  exists (
    select from pg_catalog.pg_trigger t
    where t.tgrelid = requested.oid and not t.tgisinternal and t.tgenabled <> 'D'
      and (t.tgtype & 66) <> 0 and (t.tgtype & 20) <> 0
  ) as changes_before_storing
from requested
order by requested.ordinal`

interface CatalogueColumn extends Omit<LiveColumn, 'type' | 'items' | 'generated' | 'labels'> {
  readonly base: string
  readonly isBuiltIn: boolean
  readonly isArray: boolean
  /** The built-in type of the items of an array; null for other types. */
  readonly itemBase: string | null
  readonly generated: LiveColumn['generated'] | null
  readonly labels: LiveColumn['labels'] | null
}

interface CatalogueIndex extends LiveIndex {
  readonly primary: boolean
}

/** The columns of the statement, in their order. */
const members = ['ordinal', 'schema', 'name', 'columns', 'indexes', 'foreignKeys', 'isView', 'changesBeforeStoring']

interface CatalogueTable extends Omit<LiveTable, 'columns' | 'indexes' | 'primaryKey' | 'changesAfterReturning'> {
  readonly ordinal: number
  readonly columns: readonly CatalogueColumn[]
  readonly indexes: readonly CatalogueIndex[]
}

export async function readPostgresTables(
  driver: DatabaseAccess,
  requested: readonly TableName[],
): Promise<readonly FoundTable[]> {
  const values = [requested.map(({ schema }) => schema), requested.map(({ name }) => name)]
  const rows = await readRows(driver, catalogue, values)
  return rows.flatMap((row) => {
    const { ordinal, columns, indexes, ...found } = rowObject(members, row) as CatalogueTable
    const requestedName = requested[ordinal]
    if (requestedName === undefined) return []
    const primary = indexes.find((index) => index.primary)?.columns ?? []
    const table = {
      ...found,
      // A trigger that changes its own row is a BEFORE trigger here. Tables with AFTER triggers stay fast.
      changesAfterReturning: false,
      columns: columns.filter((column) => !isSearchColumn(column)).map(liveColumn),
      ...searchColumnsOf(columns),
      primaryKey: primary.filter((column) => column !== null),
      indexes: indexes.map(({ primary: _primary, ...index }) => index),
    }
    return [{ requestedName, table }]
  })
}

/** Whether a column stores the words of a text: the database computes it, and no row has it. */
function isSearchColumn({ name, base, generated }: CatalogueColumn): boolean {
  return base === 'tsvector' && generated === 'expression' && isSearchColumnName(name)
}

function searchColumnsOf(columns: readonly CatalogueColumn[]): Pick<LiveTable, 'searchColumns'> {
  const names = columns.filter(isSearchColumn).map(({ name }) => name)
  return names.length === 0 ? {} : { searchColumns: names }
}

function liveColumn(found: CatalogueColumn): LiveColumn {
  const { base, isBuiltIn, isArray, itemBase, generated, labels, ...plain } = found
  const column = { ...plain, ...(generated ? { generated } : {}), ...(labels ? { labels } : {}) }
  if (isArray) return { ...column, type: 'list', items: itemBase === null ? 'other' : postgresType(itemBase) }
  return { ...column, type: isBuiltIn ? postgresType(base) : 'other' }
}

/**
 * Maps a built-in type to a column type. Types of extensions, and types without an order, are compared as text:
 * `citext` is then case-sensitive.
 */
function postgresType(base: string): ColumnType {
  return builtIn[base] ?? 'other'
}

const builtIn: Readonly<Record<string, ColumnType | undefined>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  name: 'text',
  int2: 'integer',
  int4: 'integer',
  oid: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'number',
  numeric: 'decimal',
  bool: 'boolean',
  timestamptz: 'instant',
  timestamp: 'timestamp',
  date: 'date',
  time: 'time',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
  bytea: 'bytes',
}
