/** Names and keys that no sample has, but that databases allow. */
export const oddSqlite = `
  pragma foreign_keys = off;
  create table "class" ("id" integer primary key, "default" text, "constructor" text, "toString" text, "__proto__" text, "links" text);
  create table "id" ("table" integer primary key, "type" text not null, "id" text, "id_type" text);
  create table "it's a ""table"".with dots" ("größe" integer primary key, "a.b" text, "a b" text, "a-b" text, "%" text, "2nd" text, "'q'" text);
  create table collide (id integer primary key, user_id integer, userId integer, "user id" integer, USERID2 integer);
  create table "Collide_" (id integer primary key);
  create table parents (id integer primary key, code text not null unique, name text);
  create table kids (
    id integer primary key,
    parent text,
    parent_id integer references parents,
    parent_code text references parents (code),
    again_id integer references parents (id),
    gone_id integer references nowhere (id),
    foreign key (parent_id) references parents (id)
  );
  create table nullable_key (code text primary key, name text);
  create table without_rowid (a text, b text, c text, primary key (a, b)) without rowid;
  create table strict_one (id integer primary key, amount real, data any, blob blob) strict;
  create table keyed_by_index (code text not null, region text not null, name text, unique (region, code));
  create table one (id integer primary key, two_id integer not null references two (id));
  create table two (id integer primary key, one_id integer references one (id), one_id_again integer references one);
  create table friends (user_id integer not null references people, friend_id integer not null references people, primary key (user_id, friend_id));
  create table people (id integer primary key, name text);
  create table Untyped (id integer primary key, anything, number numeric, flag boolean, at timestamp default current_timestamp, "time" time, js json);
  create table dated (day date not null, at datetime not null, note text, primary key (day, at));
  create table big_key (id bigint primary key not null, size bigint, unsigned_big unsigned big int);
  create table empty_join (a_id integer not null references parents, b_id integer not null references people, primary key (b_id, a_id)) without rowid;
  create table decimal_key (price numeric primary key not null);
  create virtual table search using fts5(body);
  create table ashlar_idempotency (caller text primary key not null);
  create view no_key as select name from people;
  create table gone (id integer primary key);
  create view broken as select * from gone;
  drop table gone;
  create view with_key as select id, name, count(*) as "how many", id * 1.5 as half from people group by id;
  create table only_key (id integer primary key);
  create table checked (
    id integer primary key,
    low integer check (low >= 1), -- check (low > 5)
    word text check (word in ('a', 'it''s')) check (length(word) < 5),
    ratio real check (ratio > 0 and ratio < 1.5),
    other integer check (other % 2 = 0),
    constraint pair check (low < other)
  );
  insert into class (id, "default", "__proto__") values (1, 'x', 'y');
  insert into "it's a ""table"".with dots" values (1, 'a', 'b', 'c', 'd', 'e', 'f');
  insert into "id" values (1, 't', 'i', 'it');
  insert into collide values (1, 2, 3, 4, 5);
  insert into parents values (1, 'c', 'n');
  insert into kids (id, parent, parent_id, parent_code) values (1, 'text', 1, 'c');
  insert into keyed_by_index values ('a', 'b', 'c');
  insert into people values (1, 'Ann'), (2, 'Bob');
  insert into friends values (1, 2);
  insert into without_rowid values ('x-y', '~', 'z');
  insert into dated values ('2026-01-31', '2026-01-31 12:00:00', 'n');
  insert into Untyped (id, anything, js) values (1, 'x', '{"a":1}');
  insert into strict_one values (1, 1.5, 'x', x'00');
  insert into one values (1, 1);
  insert into two values (1, 1, 1);
  insert into big_key values (9007199254740993, 9007199254740993, 1);
`

export const oddPostgres = `
  create schema other;
  create table other.target (id serial primary key);
  create type pair as (x integer, y integer);
  create type mood as enum ('sad', 'it''s "ok"', 'happy');
  create domain short as varchar(5) not null;
  create extension if not exists citext;
  create table "class" ("id" serial primary key, "default" text, "constructor" text, "toString" text, "__proto__" text);
  create table "id" ("table" serial primary key, "type" text not null, "id" text);
  create table "it's a ""table"".with dots" ("größe" serial primary key, "a.b" text, "a b" text, "a-b" text, "%" text, "2nd" text);
  create table collide (id serial primary key, user_id integer, "userId" integer, "user id" integer);
  create table "Collide" (id serial primary key);
  create table kinds (
    id bigserial primary key,
    moods mood[] not null default '{}',
    ranged int4range,
    pair pair,
    name short,
    email citext unique,
    net cidr,
    mac macaddr,
    price money,
    amounts numeric(6,2)[],
    flags boolean[],
    ids uuid[],
    days date[],
    blobs bytea[],
    docs jsonb[],
    list jsonb not null default '[]' check (jsonb_typeof(list) = 'array'),
    bits bit(3),
    doc xml,
    point point,
    seconds interval not null default '1 hour',
    at timetz,
    tiny smallint check (tiny in (0, 1)),
    ordinal integer generated always as identity,
    blob bytea generated always as (decode('00ff', 'hex')) stored,
    big numeric(30, 0),
    single "char",
    oid_column oid,
    code char(3) not null check (length(code) = 3)
  );
  create table far (id serial primary key, target_id integer references other.target);
  create table inet_key (address inet primary key);
  create table numeric_key (id numeric(20, 0) primary key, name text);
  create table bool_key (flag boolean primary key, name text);
  create table dates (day date primary key, note text);
  create table stamped (at timestamptz not null, device integer not null, value real, primary key (device, at));
  create table stamp_notes (id serial primary key, device integer, at timestamptz, note text, foreign key (device, at) references stamped (device, at));
  create table always_id (id integer generated always as identity primary key, note text);
  create table text_default (id text primary key default md5(random()::text), note text);
  create table deferred (id serial primary key, slug text unique deferrable initially deferred, next_id integer references deferred deferrable);
  create table hashed (id serial primary key, token text);
  create index on hashed using hash (token);
  create index on hashed (lower(token));
  create table no_columns ();
  create table tree (org integer not null, node integer not null, parent integer, primary key (org, node), foreign key (org, parent) references tree (org, node));
  create table teams (id serial primary key, name text not null);
  create table matches (id serial primary key, home_team_id integer not null references teams, away_team_id integer not null references teams);
  create index on matches (home_team_id);
  create view updatable as select id, name from teams;
  create view by_name as select name, count(*) from teams group by name;
  insert into class ("default", "__proto__") values ('x', 'y');
  insert into "it's a ""table"".with dots" ("a.b", "a b") values ('a', 'b');
  insert into kinds (name, code, ranged, pair, moods, amounts, flags, ids, price, email) values
    ('abc', 'xyz', '[1,5)', '(1,2)', array['happy', 'it''s "ok"']::mood[], '{1.50}', '{t}', array[gen_random_uuid()], 12.5, 'A@b.example');
  insert into stamped values ('2026-01-31 12:00:00.123456+00', 1, 2);
  insert into stamp_notes (device, at, note) values (1, '2026-01-31 12:00:00.123456+00', 'n');
  insert into dates values ('2026-01-31', 'n');
  insert into bool_key values (true, 'n');
  insert into numeric_key values (12345678901234567890, 'n');
  insert into tree values (1, 1, null), (1, 2, 1);
  insert into teams (name) values ('A'), ('B');
  insert into matches (home_team_id, away_team_id) values (1, 2);
  insert into text_default (note) values ('n');
`
