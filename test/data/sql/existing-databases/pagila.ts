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
import type { Engine } from './pagila-tables.js'

const reason = 'Only the partitions have the index.'
const indexesOfPartitions = {
  'relation-index:staff.payments': reason,
  'relation-index:customers.payments': reason,
}

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
      columns: { paymentDate: engine === 'SQLite' ? 'instant' : 'text' },
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
    data: sqlData(database, { naming: 'snake_case', waive: engine === 'PostgreSQL' ? indexesOfPartitions : {} }),
    extensions: [atomic()],
  })
