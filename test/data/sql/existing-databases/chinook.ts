import { atomic, belongsTo, belongsToMany, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { type SqlDatabase, sqlData, table } from 'ashlar/sql'

/*
 * A shop for music files. All names are quoted and begin with a capital letter, tables are in the singular, keys are
 * called after their table.
 */

interface ArtistRow {
  artistId: number
  name: string | null
}
interface AlbumRow {
  albumId: number
  title: string
  artistId: number
}
interface TrackRow {
  trackId: number
  name: string
  albumId: number | null
  composer: string | null
  milliseconds: number
  bytes: bigint | null
  unitPrice: string
}
interface PlaylistRow {
  playlistId: number
  name: string | null
}
interface EmployeeRow {
  employeeId: number
  lastName: string
  title: string | null
  reportsTo: number | null
  birthDate: Date | null
  hireDate: Date | null
}
interface CustomerRow {
  customerId: number
  email: string
  supportRepId: number | null
}
interface InvoiceRow {
  invoiceId: number
  customerId: number
  invoiceDate: Date
  total: string
}
interface InvoiceLineRow {
  invoiceLineId: number
  invoiceId: number
  trackId: number
  unitPrice: string
  quantity: number
}

const artists = defineResource('artists', {
  model: table<ArtistRow>('Artist', { key: 'artistId' }),
  id: id(),
  attributes: (a) => ({ name: a.string().nullable().maxLength(120).sortable() }),
  relations: { albums: hasMany('albums').countable() },
  filters: (f) => ({ name: f.contains() }),
})

const albums = defineResource('albums', {
  model: table<AlbumRow>('Album', { key: 'albumId' }),
  id: id(),
  attributes: (a) => ({ title: a.string().required().maxLength(160).sortable() }),
  relations: { artist: belongsTo('artists').required().filterable(), tracks: hasMany('tracks') },
  filters: (f) => ({ 'artist.name': f.through() }),
})

const tracks = defineResource('tracks', {
  model: table<TrackRow>('Track', { key: 'trackId' }),
  id: id(),
  attributes: (a) => ({
    name: a.string().required().maxLength(200).sortable(),
    composer: a.string().nullable().maxLength(220),
    milliseconds: a.integer().required().min(0).sortable(),
    bytes: a.bigint().nullable(),
    unitPrice: a.decimal().required().min(0).sortable(),
    artistName: a.string().on('album.artist').storedAs('name').readOnly(),
  }),
  relations: { album: belongsTo('albums').nullable(), playlists: belongsToMany('playlists') },
  filters: (f) => ({ unitPrice: f.range(), bytes: f.range(), noComposer: f.isNull('composer') }),
  pagination: cursorPage(),
})

const playlistTracks = table<{ playlistId: number; trackId: number }>('PlaylistTrack', {
  key: ['playlistId', 'trackId'],
})

const playlists = defineResource('playlists', {
  model: table<PlaylistRow>('Playlist', { key: 'playlistId' }),
  id: id(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: { tracks: belongsToMany('tracks').through(playlistTracks, { owner: 'playlistId', member: 'trackId' }) },
})

const employees = defineResource('employees', {
  model: table<EmployeeRow>('Employee', { key: 'employeeId' }),
  id: id(),
  attributes: (a) => ({
    lastName: a.string().required(),
    title: a.string().nullable(),
    birthDate: a.date().nullable().sortable(),
    hireDate: a.dateTime().nullable(),
  }),
  relations: {
    manager: belongsTo('employees').via('reportsTo').nullable(),
    reports: hasMany('employees').via('reportsTo'),
    customers: hasMany('customers').via('supportRepId'),
  },
  filters: (f) => ({ birthDate: f.dateRange(), hireDate: f.dateRange(), 'manager.lastName': f.through() }),
})

const customers = defineResource('customers', {
  model: table<CustomerRow>('Customer', { key: 'customerId' }),
  id: id(),
  attributes: (a) => ({ email: a.email().required() }),
  relations: { supportRep: belongsTo('employees').nullable(), invoices: hasMany('invoices') },
})

const invoices = defineResource('invoices', {
  model: table<InvoiceRow>('Invoice', { key: 'invoiceId' }),
  id: id(),
  attributes: (a) => ({
    invoiceDate: a.dateTime().required().sortable(),
    total: a.decimal().required().sortable(),
  }),
  relations: { customer: belongsTo('customers').required(), lines: hasMany('invoice-lines') },
})

const invoiceLines = defineResource('invoice-lines', {
  model: table<InvoiceLineRow>('InvoiceLine', { key: 'invoiceLineId' }),
  id: id(),
  attributes: (a) => ({ unitPrice: a.decimal().required(), quantity: a.integer().required().min(1) }),
  relations: { invoice: belongsTo('invoices').required(), track: belongsTo('tracks').required() },
})

export const chinook = (database: SqlDatabase) =>
  createServer({
    resources: [artists, albums, tracks, playlists, employees, customers, invoices, invoiceLines],
    data: sqlData(database, { naming: 'snake_case', instants: 'YYYY-MM-DD HH:MM:SS' }),
    extensions: [atomic()],
  })

/** The tables, with a few rows each. */
export function chinookTables(engine: 'PostgreSQL' | 'SQLite'): string {
  const isSqlite = engine === 'SQLite'
  const key = isSqlite ? 'integer not null primary key autoincrement' : 'int generated always as identity primary key'
  const moment = isSqlite ? 'datetime' : 'timestamp'
  const text = isSqlite ? 'nvarchar' : 'varchar'
  return `
    create table "Artist" ("ArtistId" ${key}, "Name" ${text}(120));
    create table "Album" (
      "AlbumId" ${key},
      "Title" ${text}(160) not null,
      "ArtistId" int not null references "Artist" ("ArtistId") on delete no action
    );
    create index "IFK_AlbumArtistId" on "Album" ("ArtistId");
    create table "Track" (
      "TrackId" ${key},
      "Name" ${text}(200) not null,
      "AlbumId" int references "Album" ("AlbumId"),
      "Composer" ${text}(220),
      "Milliseconds" int not null,
      "Bytes" bigint,
      "UnitPrice" numeric(10,2) not null
    );
    create index "IFK_TrackAlbumId" on "Track" ("AlbumId");
    create table "Playlist" ("PlaylistId" ${key}, "Name" ${text}(120));
    create table "PlaylistTrack" (
      "PlaylistId" int not null references "Playlist" ("PlaylistId"),
      "TrackId" int not null references "Track" ("TrackId"),
      constraint "PK_PlaylistTrack" primary key ("PlaylistId", "TrackId")
    );
    create index "IFK_PlaylistTrackTrackId" on "PlaylistTrack" ("TrackId");
    create table "Employee" (
      "EmployeeId" ${key},
      "LastName" ${text}(20) not null,
      "Title" ${text}(30),
      "ReportsTo" int references "Employee" ("EmployeeId"),
      "BirthDate" ${moment},
      "HireDate" ${moment}
    );
    create index "IFK_EmployeeReportsTo" on "Employee" ("ReportsTo");
    create table "Customer" (
      "CustomerId" ${key},
      "Email" ${text}(60) not null,
      "SupportRepId" int references "Employee" ("EmployeeId")
    );
    create index "IFK_CustomerSupportRepId" on "Customer" ("SupportRepId");
    create table "Invoice" (
      "InvoiceId" ${key},
      "CustomerId" int not null references "Customer" ("CustomerId"),
      "InvoiceDate" ${moment} not null,
      "Total" numeric(10,2) not null
    );
    create index "IFK_InvoiceCustomerId" on "Invoice" ("CustomerId");
    create table "InvoiceLine" (
      "InvoiceLineId" ${key},
      "InvoiceId" int not null references "Invoice" ("InvoiceId"),
      "TrackId" int not null references "Track" ("TrackId"),
      "UnitPrice" numeric(10,2) not null,
      "Quantity" int not null
    );
    create index "IFK_InvoiceLineInvoiceId" on "InvoiceLine" ("InvoiceId");
    create index "IFK_InvoiceLineTrackId" on "InvoiceLine" ("TrackId");

    insert into "Artist" ("Name") values ('Radiohead'), ('Björk'), (null);
    insert into "Album" ("Title", "ArtistId") values ('OK Computer', 1), ('Kid A', 1), ('Homogenic', 2);
    insert into "Track" ("Name", "AlbumId", "Composer", "Milliseconds", "Bytes", "UnitPrice") values
      ('Airbag', 1, null, 284000, 9007199254740993, 0.99), ('Lucky', 1, 'Thom Yorke', 259000, 8000, 0.99),
      ('Idioteque', 2, 'Thom Yorke', 309000, null, 1.29), ('Jóga', 3, 'Björk', 305000, 9000, 1.99);
    insert into "Playlist" ("Name") values ('Music'), ('Road');
    insert into "PlaylistTrack" values (1, 1), (1, 2), (1, 4);
    insert into "Employee" ("LastName", "Title", "ReportsTo", "BirthDate", "HireDate") values
      ('Adams', 'General Manager', null, '1962-02-18 00:00:00', '2002-08-14 00:00:00'),
      ('Edwards', 'Sales Manager', 1, '1958-12-08 00:00:00', '2002-05-01 08:30:00'),
      ('Peacock', null, 2, null, null);
    insert into "Customer" ("Email", "SupportRepId") values ('ann@example.com', 3), ('ben@example.com', null);
    insert into "Invoice" ("CustomerId", "InvoiceDate", "Total") values (1, '2021-01-01 00:00:00', 1.98), (2, '2021-02-01 10:00:00', 1.99);
    insert into "InvoiceLine" ("InvoiceId", "TrackId", "UnitPrice", "Quantity") values (1, 1, 0.99, 1), (1, 2, 0.99, 1), (2, 4, 1.99, 1);
  `
}
