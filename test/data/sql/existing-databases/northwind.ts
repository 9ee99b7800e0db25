import { atomic, belongsTo, belongsToMany, createServer, defineResource, hasMany, hasOne, id } from 'ashlar'
import { type SqlDatabase, sqlData, table } from 'ashlar/sql'

/*
 * A food trade, in its own schema. Names have spaces, keys are texts of a fixed length, words, small numbers and pairs, and there are
 * views.
 */

interface CategoryRow {
  categoryId: number
  categoryName: string
  picture: Uint8Array | null
}
interface ProductRow {
  productId: number
  productName: string
  categoryId: number | null
  unitPrice: number | null
  unitsInStock: number | null
  discontinued: boolean
}
interface CustomerRow {
  customerId: string
  companyName: string
  country: string | null
}
interface EmployeeRow {
  employeeId: number
  lastName: string
  birthDate: string | null
  reportsTo: number | null
}
interface RegionRow {
  regionId: number
  regionDescription: string
}
interface TerritoryRow {
  territoryId: string
  territoryDescription: string
  regionId: number
}
interface ShipperRow {
  shipperId: number
  companyName: string
}
interface OrderRow {
  orderId: number
  customerId: string | null
  employeeId: number | null
  orderDate: string | null
  shipVia: number | null
  freight: string | null
}
interface LineRow {
  orderId: number
  productId: number
  unitPrice: string
  quantity: number
  discount: number
  lineTotal: string
}

const categories = defineResource('categories', {
  model: table<CategoryRow>('Categories', { key: 'categoryId' }),
  id: id(),
  attributes: (a) => ({
    categoryName: a.string().required().maxLength(15).sortable(),
    picture: a
      .string()
      .nullable()
      .extractUsing(({ picture }) => (picture === null ? null : Buffer.from(picture).toString('base64')))
      .fillUsing((_row, value) => ({ picture: value === null ? null : Buffer.from(value as string, 'base64') })),
  }),
  relations: { products: hasMany('products').countable() },
})

const products = defineResource('products', {
  model: table<ProductRow>('Products', { key: 'productId' }),
  id: id(),
  attributes: (a) => ({
    productName: a.string().required().sortable(),
    unitPrice: a.decimal().nullable().sortable(),
    unitsInStock: a.integer().nullable(),
    discontinued: a.boolean().required(),
  }),
  relations: { category: belongsTo('categories').nullable().filterable(), lines: hasMany('order-lines') },
  filters: (f) => ({ discontinued: f.boolean(), unitPrice: f.numeric(), name: f.contains('productName') }),
})

const customers = defineResource('customers', {
  model: table<CustomerRow>('Customers', { key: 'customerId' }),
  id: id()
    .pattern(/[A-Z]{2,5}/)
    .requireClientId(),
  attributes: (a) => ({ companyName: a.string().required(), country: a.string().nullable() }),
  relations: { orders: hasMany('orders') },
  filters: (f) => ({ country: f.in() }),
})

const employees = defineResource('employees', {
  model: table<EmployeeRow>('Employees', { key: 'employeeId' }),
  id: id(),
  attributes: (a) => ({ lastName: a.string().required(), birthDate: a.date().nullable().sortable() }),
  relations: {
    reportsTo: belongsTo('employees').via('reportsTo').nullable(),
    reports: hasMany('employees').via('reportsTo'),
    territories: belongsToMany('territories').through('EmployeeTerritories', {
      owner: 'employeeId',
      member: 'territoryId',
    }),
  },
})

const regions = defineResource('regions', {
  model: table<RegionRow>('Region', { key: 'regionId' }),
  id: id().numeric().requireClientId(),
  attributes: (a) => ({ regionDescription: a.string().required().maxLength(50).sortable() }),
  relations: { territories: hasMany('territories') },
  filters: (f) => ({ regionDescription: f.where(), contains: f.contains('regionDescription') }),
})

const territories = defineResource('territories', {
  model: table<TerritoryRow>('Territories', { key: 'territoryId' }),
  id: id().requireClientId(),
  attributes: (a) => ({ territoryDescription: a.string().required() }),
  relations: {
    region: belongsTo('regions').required(),
    employees: belongsToMany('employees').through('EmployeeTerritories'),
  },
})

const shippers = defineResource('shippers', {
  model: table<ShipperRow>('Shippers', { key: 'shipperId' }),
  id: id(),
  attributes: (a) => ({ companyName: a.string().required() }),
})

const orders = defineResource('orders', {
  model: table<OrderRow>('Orders', { key: 'orderId' }),
  id: id(),
  attributes: (a) => ({ orderDate: a.date().nullable().sortable(), freight: a.decimal().nullable() }),
  relations: {
    customer: belongsTo('customers').nullable(),
    employee: belongsTo('employees').nullable(),
    shipper: belongsTo('shippers').via('shipVia').nullable(),
    lines: hasMany('order-lines').countable().readOnly(),
    products: belongsToMany('products').through('Order Details', { owner: 'orderId', member: 'productId' }).readOnly(),
    subtotal: hasOne('order-subtotals').via('orderId').readOnly(),
  },
  filters: (f) => ({ 'customer.country': f.through(), orderDate: f.dateRange() }),
})

const lines = defineResource('order-lines', {
  model: table<LineRow>('Order Details', { key: ['orderId', 'productId'] }),
  id: id(['orderId', 'productId']).allowClientId(),
  attributes: (a) => ({
    unitPrice: a.decimal().required().min(0),
    quantity: a.integer().required().min(1).sortable(),
    discount: a.decimal().min(0).max(1),
    lineTotal: a.decimal().readOnly().sortable(),
  }),
  relations: { order: belongsTo('orders').required(), product: belongsTo('products').required() },
  filters: (f) => ({ discount: f.numeric(), lineTotal: f.range() }),
})

const subtotals = defineResource('order-subtotals', {
  model: table<{ orderId: number; subtotal: number }>('Order Subtotals', { key: 'orderId' }),
  id: id(),
  attributes: (a) => ({ subtotal: a.decimal().sortable() }),
  filters: (f) => ({ subtotal: f.range() }),
  readOnly: true,
})

const productList = defineResource('product-list', {
  model: table<{ productId: number; productName: string; categoryName: string | null }>(
    'Alphabetical list of products',
    {
      key: 'productId',
    },
  ),
  id: id(),
  attributes: (a) => ({ productName: a.string(), categoryName: a.string().nullable() }),
  defaultSort: ['productName'],
  sorts: (s) => ({ productName: s.field() }),
  readOnly: true,
})

export const northwind = (database: SqlDatabase, schema: string) =>
  createServer({
    resources: [
      categories,
      products,
      customers,
      employees,
      regions,
      territories,
      shippers,
      orders,
      lines,
      subtotals,
      productList,
    ],
    data: sqlData(database, { naming: 'snake_case', schema }),
    extensions: [atomic()],
  })

/** The tables in a schema that exists, with a few rows each. */
export function northwindTables(engine: 'PostgreSQL' | 'SQLite', schema: string): string {
  const isSqlite = engine === 'SQLite'
  const key = isSqlite ? 'integer primary key' : 'smallserial primary key'
  const bytes = isSqlite ? 'blob' : 'bytea'
  const flag = isSqlite ? 'bit' : 'integer'
  const named = (name: string) => `"${schema}"."${name}"`
  /** SQLite resolves referenced tables in the schema of the table only. */
  const other = (name: string) => (isSqlite ? `"${name}"` : named(name))
  const bytesOf = (hex: string) => (isSqlite ? `x'${hex}'` : `'\\x${hex}'`)
  const index = (name: string, of: string, column: string) =>
    isSqlite
      ? `create index "${schema}"."${name}" on "${of}" ("${column}");`
      : `create index "${name}" on ${named(of)} ("${column}");`
  return `
    create table ${named('Categories')} ("CategoryID" ${key}, "CategoryName" varchar(15) not null, "Picture" ${bytes});
    create table ${named('Products')} (
      "ProductID" ${key},
      "ProductName" varchar(40) not null,
      "CategoryID" smallint references ${other('Categories')},
      "UnitPrice" real,
      "UnitsInStock" smallint,
      "Discontinued" ${flag} not null default 0
    );
    ${index('CategoriesProducts', 'Products', 'CategoryID')}
    create table ${named('Customers')} ("CustomerID" char(5) not null primary key, "CompanyName" varchar(40) not null, "Country" varchar(15));
    create table ${named('Employees')} (
      "EmployeeID" ${key},
      "LastName" varchar(20) not null,
      "BirthDate" date,
      "ReportsTo" smallint references ${other('Employees')}
    );
    ${index('ReportsTo', 'Employees', 'ReportsTo')}
    create table ${named('Region')} ("RegionID" smallint not null primary key, "RegionDescription" char(50) not null);
    create table ${named('Territories')} (
      "TerritoryID" varchar(20) not null primary key,
      "TerritoryDescription" char(50) not null,
      "RegionID" smallint not null references ${other('Region')}
    );
    ${index('RegionTerritories', 'Territories', 'RegionID')}
    create table ${named('EmployeeTerritories')} (
      "EmployeeID" smallint not null references ${other('Employees')},
      "TerritoryID" varchar(20) not null references ${other('Territories')},
      primary key ("EmployeeID", "TerritoryID")
    );
    ${index('TerritoryEmployees', 'EmployeeTerritories', 'TerritoryID')}
    create table ${named('Shippers')} ("ShipperID" ${key}, "CompanyName" varchar(40) not null);
    create table ${named('Orders')} (
      "OrderID" ${key},
      "CustomerID" char(5) references ${other('Customers')},
      "EmployeeID" smallint references ${other('Employees')},
      "OrderDate" date,
      "ShipVia" smallint references ${other('Shippers')},
      "Freight" numeric(10, 2) default 0
    );
    ${index('CustomersOrders', 'Orders', 'CustomerID')}
    create table ${named('Order Details')} (
      "OrderID" smallint not null references ${other('Orders')},
      "ProductID" smallint not null references ${other('Products')},
      "UnitPrice" numeric(10, 2) not null default 0,
      "Quantity" smallint not null default 1 check ("Quantity" > 0),
      "Discount" real not null default 0,
      "LineTotal" numeric(12, 2) generated always as ("UnitPrice" * "Quantity") stored,
      primary key ("OrderID", "ProductID")
    );
    ${index('ProductsOrder_Details', 'Order Details', 'ProductID')}
    create view ${named('Order Subtotals')} as
      select "OrderID", sum("UnitPrice" * "Quantity" * (1 - "Discount")) as "Subtotal" from ${named('Order Details')} group by "OrderID";
    create view ${named('Alphabetical list of products')} as
      select p."ProductID", p."ProductName", c."CategoryName"
      from ${named('Products')} p left join ${named('Categories')} c on c."CategoryID" = p."CategoryID" where p."Discontinued" = 0;

    insert into ${named('Categories')} ("CategoryName", "Picture") values ('Beverages', ${bytesOf('00ff10')}), ('Produce', null);
    insert into ${named('Products')} ("ProductName", "CategoryID", "UnitPrice", "UnitsInStock", "Discontinued") values
      ('Chai', 1, 18.1, 39, 0), ('Tofu', 2, 23.25, 35, 0), ('Chang', 1, 19, 17, 1), ('Crate', null, null, null, 0);
    insert into ${named('Customers')} values ('ALFKI', 'Alfreds', 'Germany'), ('BOLID', 'Bolido', 'Spain'), ('XY', 'Short', null);
    insert into ${named('Employees')} ("LastName", "BirthDate", "ReportsTo") values
      ('Fuller', '1952-02-19', null), ('Davolio', '1948-12-08', 1), ('King', null, 1);
    insert into ${named('Region')} values (1, 'Eastern'), (2, 'Western');
    insert into ${named('Territories')} values ('01581', 'Westboro', 1), ('98004', 'Bellevue', 2);
    insert into ${named('EmployeeTerritories')} values (1, '01581'), (2, '98004');
    insert into ${named('Shippers')} ("CompanyName") values ('Speedy'), ('United');
    insert into ${named('Orders')} ("CustomerID", "EmployeeID", "OrderDate", "ShipVia", "Freight") values
      ('ALFKI', 1, '1996-07-04', 1, 32.38), ('XY', 2, '1996-07-05', 2, 11.61), (null, null, null, null, null);
    insert into ${named('Order Details')} ("OrderID", "ProductID", "UnitPrice", "Quantity", "Discount") values
      (1, 1, 14.00, 12, 0), (1, 2, 9.80, 10, 0.15), (2, 1, 14.40, 1, 0.05);
  `
}
