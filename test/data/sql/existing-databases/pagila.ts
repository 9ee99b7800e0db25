import {
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  enumeration,
  hasMany,
  hasOne,
  id,
} from 'ashlar'
import { type SqlDatabase, sqlData, sqlFilter, table } from 'ashlar/sql'
import { sql } from 'kysely'

/*
 * A rental of films. The database does much by itself: enumerations, domains, arrays, generated columns, a text search
 * that a trigger maintains, partitions, views, and triggers that note when a row was changed.
 */

interface ActorRow {
  actorId: number
  firstName: string
  lastName: string
  lastUpdate: Date
}
interface FilmRow {
  filmId: number
  title: string
  description: string | null
  releaseYear: number | null
  languageId: number
  originalLanguageId: number | null
  rentalDuration: number
  rentalRate: string
  rating: string | null
  specialFeatures: string[] | null
  fulltext: string
  projectedRevenue: string
  lastUpdate: Date
}
interface CustomerRow {
  customerId: number
  storeId: number
  firstName: string
  lastName: string
  activebool: boolean
  createDate: string
  lastUpdate: Date | null
}
interface StaffRow {
  staffId: number
  firstName: string
  storeId: number
  picture: Uint8Array | null
}
interface PaymentRow {
  paymentId: number
  paymentDate: string
  customerId: number
  staffId: number
  amount: string
}

const Rating = enumeration('Rating', {
  G: 'Everyone',
  PG: 'With parents',
  'PG-13': 'From 13',
  R: 'Restricted',
  'NC-17': 'Adults',
})

const actors = defineResource('actors', {
  model: table<ActorRow>('actor', { key: 'actorId' }),
  id: id(),
  attributes: (a) => ({
    firstName: a.string().required(),
    lastName: a.string().required().sortable(),
    lastUpdate: a.dateTime().readOnly(),
  }),
  relations: { films: belongsToMany('films').through('film_actor', { owner: 'actorId', member: 'filmId' }) },
})

const languages = defineResource('languages', {
  model: table<{ languageId: number; name: string }>('language', { key: 'languageId' }),
  id: id(),
  attributes: (a) => ({ name: a.string().required().maxLength(20) }),
  relations: { films: hasMany('films').via('languageId') },
  filters: (f) => ({ name: f.where() }),
})

const categories = defineResource('categories', {
  model: table<{ categoryId: number; name: string }>('category', { key: 'categoryId' }),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { films: belongsToMany('films').through('film_category', { owner: 'categoryId', member: 'filmId' }) },
})

const films = defineResource('films', {
  model: table<FilmRow>('film', { key: 'filmId' }),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().sortable(),
    description: a.string().nullable(),
    releaseYear: a.integer().nullable().sortable(),
    rentalDuration: a.integer(),
    rentalRate: a.decimal(),
    rating: a.string().enum(Rating).nullable().sortable(),
    specialFeatures: a.arrayList().nullable(),
    projectedRevenue: a.decimal().readOnly().sortable(),
    fulltext: a.string().readOnly().sparseByDefault(),
    lastUpdate: a.dateTime().readOnly(),
  }),
  relations: {
    language: belongsTo('languages').required(),
    originalLanguage: belongsTo('languages').nullable(),
    actors: belongsToMany('actors').through('film_actor').countable(),
    categories: belongsToMany('categories').through('film_category'),
  },
  filters: (f) => ({
    rating: f.in(),
    releaseYear: f.range(),
    specialFeatures: f.in(),
    projectedRevenue: f.range(),
    search: f.custom({
      apply: sqlFilter<FilmRow>(({ column, value, engine }) =>
        engine === 'postgres'
          ? sql`${column('fulltext')} @@ plainto_tsquery('english', ${value})`
          : sql`instr(${column('fulltext')}, ${value}) > 0`,
      ),
    }),
  }),
})

const stores = defineResource('stores', {
  model: table<{ storeId: number; managerStaffId: number | null }>('store', { key: 'storeId' }),
  id: id(),
  relations: {
    manager: belongsTo('staff').via('managerStaffId').nullable(),
    staff: hasMany('staff'),
    customers: hasMany('customers'),
  },
})

const staff = defineResource('staff', {
  model: table<StaffRow>('staff', { key: 'staffId' }),
  id: id(),
  attributes: (a) => ({ firstName: a.string().required() }),
  relations: { store: belongsTo('stores').required(), payments: hasMany('payments') },
})

const customers = defineResource('customers', {
  model: table<CustomerRow>('customer', { key: 'customerId' }),
  id: id(),
  attributes: (a) => ({
    firstName: a.string().required(),
    lastName: a.string().required().sortable(),
    active: a.boolean().storedAs('activebool'),
    createDate: a.date().readOnly(),
    lastUpdate: a.dateTime().nullable().readOnly(),
  }),
  relations: {
    store: belongsTo('stores').required(),
    payments: hasMany('payments'),
    entry: hasOne('customer-list').via('id').readOnly(),
  },
})

/** The database makes the number of a payment, and the client the date. SQLite numbers no composite keys. */
const paymentsOf = (engine: Engine) =>
  defineResource('payments', {
    model: table<PaymentRow>('payment', {
      key: ['paymentId', 'paymentDate'],
      // The column of PostgreSQL has microseconds, which a Date has not.
      columns: engine === 'SQLite' ? {} : { paymentDate: 'text' },
    }),
    id: engine === 'SQLite' ? id(['paymentId', 'paymentDate']).requireClientId() : id(['paymentId', 'paymentDate']),
    attributes: (a) => ({
      paymentDate: a.dateTime().required().readOnlyOnUpdate().sortable(),
      amount: a.decimal().required(),
    }),
    relations: { customer: belongsTo('customers').required(), staff: belongsTo('staff').required() },
    filters: (f) => ({ paymentDate: f.dateRange() }),
  })

const customerList = defineResource('customer-list', {
  model: table<{ id: number; name: string; zipCode: string | null; notes: string }>('customer_list'),
  id: id(),
  attributes: (a) => ({
    name: a.string().sortable(),
    zipCode: a.string().nullable(),
    notes: a.string(),
  }),
  filters: (f) => ({ notes: f.where() }),
  readOnly: true,
})

const sales = defineResource('sales-by-store', {
  model: table<{ storeId: number; totalSales: string | null }>('sales_by_store', { key: 'storeId' }),
  id: id(),
  attributes: (a) => ({ totalSales: a.decimal().nullable().sortable() }),
  readOnly: true,
})

type Engine = 'PostgreSQL' | 'SQLite'

export const pagila = (database: SqlDatabase, engine: Engine) =>
  createServer({
    resources: [
      actors,
      languages,
      categories,
      films,
      stores,
      staff,
      customers,
      paymentsOf(engine),
      customerList,
      sales,
    ],
    data: sqlData(database, { naming: 'snake_case' }),
    extensions: [atomic()],
  })

export function pagilaTables(engine: Engine): string {
  return engine === 'SQLite' ? `${sqliteTables()}${rowsOf(engine)}` : `${postgresTables}${rowsOf(engine)}`
}

const shared = {
  joins: (now: string, moment: string) => `
    create table film_actor (
      actor_id integer not null references actor on delete restrict,
      film_id integer not null references film on delete cascade,
      last_update ${moment} not null default ${now},
      primary key (actor_id, film_id)
    );
    create index idx_fk_film_id on film_actor (film_id);
    create table film_category (
      film_id integer not null references film on delete cascade,
      category_id integer not null references category,
      last_update ${moment} not null default ${now},
      primary key (film_id, category_id)
    );
    create index idx_fk_category_id on film_category (category_id);
  `,
  views: (active: string) => `
    create view customer_list as
      select customer_id as id, first_name || ' ' || last_name as name, postal as "zip code",
        case when ${active} then 'active' else '' end as notes, store_id as sid
      from customer;
    create view sales_by_store as
      select staff.store_id, sum(payment.amount) as total_sales
      from payment join staff on staff.staff_id = payment.staff_id group by staff.store_id;
  `,
}

const touched = ['actor', 'film', 'customer', 'film_actor']

const postgresTables = `
  create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17');
  create domain year as integer constraint year_check check (value between 1901 and 2155);
  create domain amount as numeric(5, 2) check (value >= 0);
  create function last_updated() returns trigger language plpgsql as
    $$ begin new.last_update = current_timestamp; return new; end $$;
  create table actor (
    actor_id integer generated by default as identity primary key,
    first_name text not null,
    last_name text not null,
    last_update timestamptz not null default now()
  );
  create table category (category_id serial primary key, name text not null, last_update timestamptz not null default now());
  create table language (language_id serial primary key, name character(20) not null, last_update timestamptz not null default now());
  create table film (
    film_id serial primary key,
    title text not null,
    description text,
    release_year year,
    language_id integer not null references language,
    original_language_id integer references language,
    rental_duration smallint not null default 3,
    rental_rate numeric(4, 2) not null default 4.99,
    rating mpaa_rating default 'G',
    special_features text[],
    fulltext tsvector not null,
    projected_revenue numeric(8, 2) generated always as (rental_duration * rental_rate) stored,
    last_update timestamptz not null default now()
  );
  create index film_fulltext_idx on film using gist (fulltext);
  create index idx_fk_language_id on film (language_id);
  create trigger film_fulltext_trigger before insert or update on film
    for each row execute function tsvector_update_trigger(fulltext, 'pg_catalog.english', title, description);
  ${shared.joins('now()', 'timestamptz')}
  create table store (store_id serial primary key, manager_staff_id integer unique);
  create table staff (
    staff_id serial primary key,
    first_name text not null,
    store_id integer not null references store,
    picture bytea
  );
  create index idx_staff_store on staff (store_id);
  alter table store add foreign key (manager_staff_id) references staff;
  create table customer (
    customer_id serial primary key,
    store_id integer not null references store,
    first_name text not null,
    last_name text not null,
    postal text,
    activebool boolean not null default true,
    create_date date not null default current_date,
    last_update timestamptz default now()
  );
  create index idx_fk_store_id on customer (store_id);
  create table payment (
    payment_id integer generated always as identity,
    customer_id integer not null references customer,
    staff_id integer not null references staff,
    amount amount not null,
    payment_date timestamptz not null,
    primary key (payment_id, payment_date)
  ) partition by range (payment_date);
  create table payment_p2022_01 partition of payment for values from ('2022-01-01+00') to ('2022-02-01+00');
  create table payment_p2022_02 partition of payment for values from ('2022-02-01+00') to ('2022-03-01+00');
  create index idx_p01_customer on payment_p2022_01 (customer_id);
  create index idx_p02_customer on payment_p2022_02 (customer_id);
  ${touched.map((name) => `create trigger last_updated before update on ${name} for each row execute function last_updated();`).join('\n')}
  ${shared.views('activebool')}
`

function sqliteTables(): string {
  const now = `(strftime('%Y-%m-%d %H:%M:%f', 'now'))`
  const key = (name: string) => `${name}_id integer primary key`
  return `
    create table actor (${key('actor')}, first_name text not null, last_name text not null, last_update timestamp not null default ${now});
    create table category (${key('category')}, name text not null, last_update timestamp not null default ${now});
    create table language (${key('language')}, name char(20) not null, last_update timestamp not null default ${now});
    create table film (
      ${key('film')},
      title text not null,
      description text,
      release_year year check (release_year between 1901 and 2155),
      language_id integer not null references language,
      original_language_id integer references language,
      rental_duration smallint not null default 3,
      rental_rate decimal(4, 2) not null default 4.99,
      rating varchar(10) default 'G' check (rating in ('G', 'PG', 'PG-13', 'R', 'NC-17')),
      special_features text,
      fulltext text generated always as (lower(title || ' ' || coalesce(description, ''))) stored,
      projected_revenue decimal(8, 2) generated always as (rental_duration * rental_rate) virtual,
      last_update timestamp not null default ${now}
    );
    create index idx_fk_language_id on film (language_id);
    ${shared.joins(now, 'timestamp')}
    create table store (${key('store')}, manager_staff_id integer unique references staff);
    create table staff (${key('staff')}, first_name text not null, store_id integer not null references store, picture blob);
    create index idx_staff_store on staff (store_id);
    create table customer (
      ${key('customer')},
      store_id integer not null references store,
      first_name text not null,
      last_name text not null,
      postal text,
      activebool boolean not null default true,
      create_date date not null default (date('now')),
      last_update timestamp default ${now}
    );
    create index idx_fk_store_id on customer (store_id);
    create table payment (
      payment_id integer not null,
      customer_id integer not null references customer,
      staff_id integer not null references staff,
      amount decimal(5, 2) not null,
      payment_date timestamp not null,
      primary key (payment_id, payment_date)
    );
    create index idx_customer on payment (customer_id);
    create index idx_staff on payment (staff_id);
    ${touched
      .map(
        (name) => `create trigger ${name}_updated after update on ${name}
          begin update ${name} set last_update = strftime('%Y-%m-%d %H:%M:%f', 'now') where rowid = new.rowid; end;`,
      )
      .join('\n')}
    ${shared.views('activebool')}
  `
}

function rowsOf(engine: Engine): string {
  const features = (...names: readonly string[]) =>
    engine === 'SQLite' ? `'${JSON.stringify(names)}'` : `array[${names.map((name) => `'${name}'`).join(', ')}]`
  const [keyColumn, key] = engine === 'SQLite' ? ['payment_id, ', (value: number) => `${value}, `] : ['', () => '']
  return `
    insert into actor (first_name, last_name, last_update) values
      ('Penelope', 'Guiness', '2022-01-15 10:00:00Z'), ('Nick', 'Wahlberg', '2022-01-15 10:00:00Z'), ('Ed', 'Chase', '2022-01-15 10:00:00Z');
    insert into category (name) values ('Action'), ('Comedy');
    insert into language (name) values ('English'), ('Italian');
    insert into film (title, description, release_year, language_id, rental_duration, rental_rate, rating, special_features) values
      ('Academy Dinosaur', 'An epic drama of a teacher', 2006, 1, 6, 0.99, 'PG', ${features('Deleted Scenes', 'Trailers')}),
      ('Ace Goldfinger', 'A story of a database administrator', 2007, 1, 3, 4.99, 'NC-17', ${features('Trailers')}),
      ('Agent Truman', null, null, 2, 3, 2.99, 'G', null);
    insert into film_actor (actor_id, film_id) values (1, 1), (2, 1), (2, 2);
    insert into film_category (film_id, category_id) values (1, 1), (2, 2);
    insert into store (manager_staff_id) values (null), (null);
    insert into staff (first_name, store_id) values ('Mike', 1), ('Jon', 2);
    update store set manager_staff_id = store_id;
    insert into customer (store_id, first_name, last_name, postal, activebool) values
      (1, 'Mary', 'Smith', '35200', true), (2, 'Patricia', 'Johnson', null, false);
    insert into payment (${keyColumn}customer_id, staff_id, amount, payment_date) values
      (${key(1)}1, 1, 2.99, '2022-01-24 21:40:19.996Z'), (${key(2)}1, 2, 0.99, '2022-02-01 00:00:00Z'), (${key(3)}2, 1, 5.99, '2022-02-14 09:00:00Z');
  `
}
