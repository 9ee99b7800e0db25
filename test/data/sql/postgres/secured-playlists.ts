import { randomBytes } from 'node:crypto'
import {
  reply,
  atomic,
  authenticate,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  numberPage,
  type RequestContext,
  type WorkContext,
} from 'ashlar'
import { type RanStatement, sqlData, type SqlDataOptions, table } from 'ashlar/sql'
import type { ReplicatedDatabase } from '../../../../src/stores/sql/replicas/replicated-database.js'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { client } from '../../../support/client.js'
import { openPool } from '../../../support/open-databases.js'

interface PlaylistRow {
  id: number
  title: string
  public: boolean
  ownerId: number
}

interface NoteRow {
  id: number
  text: string
  ownerId: number
  playlistId: number | null
}

type Tables = Kysely<{ playlists: PlaylistRow; notes: NoteRow }>

const dbOf = ({ db }: WorkContext): Tables => db as Tables

/** The values that the policies of the database compare with. */
const me = "(select nullif(current_setting('app.user', true), '')::int)"

/** Tables of which the role sees the public playlists and the rows of the caller. */
const tables = (schema: string, role: string): string => `
  create schema ${schema};
  set search_path to ${schema};
  create table playlists (id int primary key, title text unique not null, public bool not null default false, "ownerId" int not null);
  create table notes (id int primary key, text text not null, "ownerId" int not null, "playlistId" int references playlists);
  create table tracks (id int primary key, title text not null);
  create table "playlistTracks" ("playlistId" int references playlists, "trackId" int references tracks, primary key ("playlistId", "trackId"));
  insert into playlists values (1, 'Road Trip', true, 1), (2, 'Secret A', false, 1), (3, 'Secret B', false, 2), (4, 'Party', true, 2);
  insert into notes values (1, 'by A', 1, 1), (2, 'by B on 1', 2, 1), (3, 'by B', 2, 4);
  insert into tracks values (1, 'One'), (2, 'Two'), (3, 'Three');
  insert into "playlistTracks" values (1, 1), (2, 1), (2, 2), (3, 3), (4, 1);
  alter table playlists enable row level security;
  create policy seen on playlists for select using (public or "ownerId" = ${me});
  create policy created on playlists for insert with check ("ownerId" = ${me});
  create policy changed on playlists for update using ("ownerId" = ${me});
  create policy deleted on playlists for delete using ("ownerId" = ${me});
  alter table notes enable row level security;
  create policy own on notes using ("ownerId" = ${me});
  alter table "playlistTracks" enable row level security;
  create policy seen on "playlistTracks" for select using (exists (select from playlists p where p.id = "playlistId"));
  create policy own on "playlistTracks" using (exists (select from playlists p where p.id = "playlistId" and p."ownerId" = ${me}));
  grant usage on schema ${schema} to ${role};
  grant all on all tables in schema ${schema} to ${role};
  reset search_path`

export interface SecuredDatabase {
  readonly schema: string
  readonly role: string
  drop(): Promise<void>
}

export async function securedDatabase(): Promise<SecuredDatabase> {
  const schema = `rls_${randomBytes(8).toString('hex')}`
  const role = `${schema}_app`
  await openPool().query(`create role ${role}; ${tables(schema, role)}`)
  return {
    schema,
    role,
    async drop() {
      await openPool().query(`drop schema ${schema} cascade; drop role ${role}`)
    },
  }
}

/** A server without any rules: only those of the database apply. */
export function securedServer(
  pool: Pool | ReplicatedDatabase,
  { schema, role }: SecuredDatabase,
  options: SqlDataOptions = {},
) {
  const ran: RanStatement[] = []
  /** The titles that a caller, or an anonymous one, sees when the application reads them. */
  const titlesFor = async (user: number | null): Promise<readonly unknown[]> => {
    const as = user === null ? null : { id: user }
    const response = await server.dispatch({ kind: 'FetchResource', type: 'playlists', id: null, as })
    if (response.kind !== 'data') throw new Error(`The response for playlists is '${response.kind}'.`)
    return response.resources.primary.map(({ row, rows }) => row[rows.columns.indexOf('title')])
  }
  const playlists = defineResource('playlists', {
    model: table<PlaylistRow>('playlists'),
    id: id().requireClientId(),
    policy: 'public',
    attributes: (a) => ({ title: a.string().required(), public: a.boolean(), ownerId: a.integer() }),
    relations: {
      tracks: belongsToMany('tracks')
        .through(table<{ playlistId: number; trackId: number }>('playlistTracks', { key: ['playlistId', 'trackId'] }), {
          owner: 'playlistId',
          member: 'trackId',
        })
        .countable()
        .withoutPagination(),
      notes: hasMany('notes').countable().withoutPagination(),
    },
    filters: (f) => ({ note: f.through('notes.text') }),
    pagination: numberPage({ size: 10 }).withCount(),
    actions: (a) => ({
      titles: a.collection({
        methods: ['GET', 'POST'],
        responds: metaResult(),
        async handle({ context }) {
          const rows = await dbOf(context).selectFrom('playlists').select('title').orderBy('id').execute()
          const inTransaction = await dbOf(context)
            .transaction()
            .execute((trx) => trx.selectFrom('playlists').select('title').where('id', '>', 0).orderBy('id').execute())
          return reply.meta({ titles: rows.map(({ title }) => title), same: inTransaction.length === rows.length })
        },
      }),
      others: a.collection({
        methods: ['POST'],
        responds: metaResult(),
        async handle({ context }) {
          const seen = [await titlesFor(2), await titlesFor(null)]
          const visibleTitles = await dbOf(context).selectFrom('playlists').select('title').orderBy('id').execute()
          return reply.meta({ seen: [...seen, visibleTitles.map(({ title }) => title)] })
        },
      }),
      publish: a.collection({
        methods: ['GET'],
        responds: metaResult(),
        async handle({ context }) {
          const { numUpdatedRows } = await dbOf(context)
            .updateTable('playlists')
            .set({ public: true })
            .executeTakeFirstOrThrow()
          return reply.meta({ changed: Number(numUpdatedRows) })
        },
      }),
    }),
  })
  const notes = defineResource('notes', {
    model: table<NoteRow>('notes'),
    id: id().requireClientId(),
    policy: 'public',
    attributes: (a) => ({ text: a.string().required(), ownerId: a.integer() }),
    relations: { playlist: belongsTo('playlists').nullable() },
    hooks: {
      async beforeCreate(draft, context) {
        const { count } = await dbOf(context)
          .selectFrom('notes')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        draft.text = `${draft.text} after ${count}`
      },
    },
  })
  const tracks = defineResource('tracks', {
    model: table<{ id: number; title: string }>('tracks'),
    id: id().requireClientId(),
    policy: 'public',
    attributes: (a) => ({ title: a.string() }),
    relations: { playlists: belongsToMany('playlists').countable() },
  })
  const caller = authenticate({
    challenge: 'User',
    caller: (request) => {
      const user = request.header('x-user')
      return user === undefined ? null : { id: Number(user) }
    },
  })
  const data = sqlData(pool, {
    schema,
    session: ({ caller: user }: RequestContext) => ({
      role,
      settings: { 'app.user': String((user as { readonly id: number } | null)?.id ?? '') },
    }),
    onStatement: (statement) => ran.push(statement),
    ...options,
  })
  const logged: unknown[] = []
  const server = createServer({
    resources: [playlists, notes, tracks],
    data,
    middleware: [caller],
    extensions: [atomic()],
    logger: { error: ({ err }: { readonly err?: unknown }) => void logged.push(err) },
  })
  return { server, api: client(server), ran, logged, titlesFor }
}
