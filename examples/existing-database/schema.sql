-- The database of a record shop, created by an older program: names with capital letters and spaces, composite keys, a table
-- that refers to itself, a generated column and a view. Ashlar does not change the schema.
create table "Employee" (
  "EmployeeID" integer primary key,
  "LastName" nvarchar(20) not null,
  "Email" nvarchar(60) not null unique,
  "ReportsTo" int references "Employee" ("EmployeeID")
);
create index "EmployeeReportsTo" on "Employee" ("ReportsTo");

create table "Album" (
  "AlbumID" integer primary key,
  "Title" nvarchar(160) not null,
  "Unit Price" numeric(10, 2) not null check ("Unit Price" >= 0)
);
create index "AlbumTitle" on "Album" ("Title");

create table "Order" (
  "OrderID" integer primary key,
  "OrderDate" date not null,
  "Status" varchar(10) not null default 'open' check ("Status" in ('open', 'paid', 'sent')),
  "SoldBy" int references "Employee" ("EmployeeID")
);
create index "OrderSoldBy" on "Order" ("SoldBy");

create table "Order Details" (
  "OrderID" int not null references "Order" ("OrderID"),
  "AlbumID" int not null references "Album" ("AlbumID"),
  "Quantity" smallint not null default 1 check ("Quantity" between 1 and 99),
  "UnitPrice" numeric(10, 2) not null,
  "LineTotal" numeric(12, 2) generated always as ("Quantity" * "UnitPrice") stored,
  primary key ("OrderID", "AlbumID")
);
create index "DetailsOfAlbum" on "Order Details" ("AlbumID");

-- A composite key that a composite foreign key refers to.
create table "Return" (
  "ReturnID" integer primary key,
  "OrderID" int not null,
  "AlbumID" int not null,
  "Reason" nvarchar(200) not null,
  foreign key ("OrderID", "AlbumID") references "Order Details" ("OrderID", "AlbumID")
);
create index "ReturnOfDetail" on "Return" ("OrderID", "AlbumID");

create view "Order Subtotals" as
  select "OrderID", sum("LineTotal") as "Subtotal" from "Order Details" group by "OrderID";

insert into "Employee" values (1, 'Adams', 'adams@shop.example', null), (2, 'Edwards', 'edwards@shop.example', 1);
insert into "Album" values (1, 'OK Computer', 10.00), (2, 'Homogenic', 12.50);
insert into "Order" values (1, '2026-01-31', 'paid', 2), (2, '2026-02-03', 'open', 1);
insert into "Order Details" ("OrderID", "AlbumID", "Quantity", "UnitPrice") values (1, 1, 2, 10.00), (1, 2, 1, 12.50), (2, 2, 1, 12.50);
insert into "Return" values (1, 1, 2, 'A scratch on side B');
