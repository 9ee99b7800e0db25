/*
 * Four databases with the size and the habits of well-known applications, in a short form: the tables that have a peculiarity are written out,
 * the others are generated in their style. Values that nobody may see begin with `SECRET`.
 */

export interface LargeSchema {
  readonly name: string
  readonly sql: string
  /** The arguments of the pull, besides the database and the folder. */
  readonly options: readonly string[]
  /** The number of types. */
  readonly types: number
  /** Lines of the output. */
  readonly printed: readonly string[]
  /** Parts of pulled files, by path. */
  readonly written: Readonly<Record<string, readonly string[]>>
}

const times = 'created_at timestamp not null, updated_at timestamp not null'

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Tables of features, each with two references and a few columns, as most tables of an application are. */
function features(
  count: number,
  { prefix, key, reference }: { prefix: string; key: string; reference: (table: string) => string },
) {
  return numbers(count).map((number) => {
    const table = `${prefix}_${number}`
    return `
      create table ${table}_settings (
        id ${key} primary key,
        project_id bigint not null${reference('projects')},
        user_id bigint${reference('users')},
        name character varying(255) not null,
        state smallint not null default 0,
        options jsonb not null default '{}',
        enabled boolean not null default true,
        access_token character varying,
        ${times},
        constraint check_${table} check (char_length(name) <= 200)
      );
      create index on ${table}_settings (project_id);
      create unique index on ${table}_settings (user_id, name);`
  })
}

const gitlab: LargeSchema = {
  name: 'GitLab',
  options: ['--relations', 'names', '--key', 'open_issues=id'],
  // The materialized view is not served: it has no unique index.
  types: 145,
  sql: `
    create schema partitions_static;
    create table schema_migrations (version varchar primary key);
    create table users (
      id bigserial primary key, username varchar not null unique, email varchar not null, admin boolean not null default false,
      encrypted_password varchar not null default '', reset_password_token varchar, otp_backup_codes text, encrypted_otp_secret varchar,
      static_object_token_encrypted text, last_sign_in_ip inet, created_by_id bigint, ${times});
    create table namespaces (
      id bigserial primary key, name varchar not null, parent_id bigint references namespaces, owner_id bigint,
      traversal_ids bigint[] not null default '{}', runners_token_encrypted varchar, ${times});
    create index on namespaces (parent_id);
    create table projects (
      id bigserial primary key, name varchar, namespace_id bigint not null references namespaces, creator_id bigint,
      runners_token_encrypted varchar, archived boolean not null default false, visibility_level integer not null default 0, ${times});
    create index on projects (namespace_id);
    create index on projects (creator_id);
    create table issues (
      id bigserial primary key, title varchar, author_id bigint references users, project_id bigint references projects,
      moved_to_id bigint references issues, duplicated_to_id bigint references issues, iid integer, relative_position integer,
      search tsvector, ${times}, constraint check_title check (char_length(title) <= 255));
    create index on issues (author_id);
    create index on issues (project_id);
    create index on issues (moved_to_id);
    create index on issues (duplicated_to_id);
    create index on issues using gin (search);
    create table merge_requests (
      id bigserial primary key, title varchar, source_project_id bigint references projects, target_project_id bigint not null references projects,
      author_id bigint references users, assignee_id bigint, merge_user_id bigint, ${times});
    create index on merge_requests (source_project_id);
    create index on merge_requests (target_project_id);
    create index on merge_requests (author_id);
    create table notes (
      id bigserial primary key, note text, noteable_type varchar, noteable_id bigint, author_id bigint, project_id bigint references projects,
      ${times});
    create index on notes (noteable_id, noteable_type);
    create index on notes (project_id);
    create table events (
      id bigserial primary key, target_type varchar, target_id bigint, author_id bigint not null references users, action smallint not null,
      ${times});
    create index on events (target_type, target_id);
    create index on events (author_id);
    create table personal_access_tokens (
      id bigserial primary key, user_id bigint not null references users, name varchar not null, token_digest varchar, expires_at date, ${times});
    create index on personal_access_tokens (user_id);
    create table p_ci_builds (
      id bigint not null, partition_id bigint not null, name varchar, project_id bigint, token_encrypted varchar, status varchar,
      created_at timestamp, primary key (id, partition_id)) partition by list (partition_id);
    create table partitions_static.ci_builds_100 partition of p_ci_builds for values in (100);
    create table p_ci_build_needs (
      id bigint not null, partition_id bigint not null, build_id bigint not null, name text not null, primary key (id, partition_id),
      foreign key (build_id, partition_id) references p_ci_builds (id, partition_id)) partition by list (partition_id);
    create table ci_build_needs_100 partition of p_ci_build_needs for values in (100);
    create table project_authorizations (
      user_id bigint not null references users, project_id bigint not null references projects, access_level integer not null,
      primary key (user_id, project_id, access_level));
    create table issue_assignees (
      user_id bigint not null references users, issue_id bigint not null references issues, primary key (issue_id, user_id));
    create index on issue_assignees (user_id);
    create table web_hooks (id bigserial primary key, project_id bigint, encrypted_token varchar, encrypted_url varchar, service_id bigint, ${times});
    create table audit_log (line text);
    create view open_issues as select id, title, project_id from issues;
    create materialized view issues_by_project as select project_id as id, count(*) as issues from issues group by project_id;
    ${features(132, { prefix: 'feature', key: 'bigserial', reference: (table) => ` references ${table} on delete cascade` }).join('')}
    insert into users (username, email, encrypted_password, reset_password_token, created_at, updated_at)
      values ('root', 'root@gitlab.example', 'SECRET-digest', 'SECRET-reset', now(), now()), ('ann', 'ann@gitlab.example', 'SECRET-2', null, now(), now());
    insert into namespaces (name, owner_id, runners_token_encrypted, created_at, updated_at) values ('top', 1, 'SECRET-runner', now(), now());
    insert into projects (name, namespace_id, creator_id, created_at, updated_at) values ('one', 1, 1, now(), now());
    insert into issues (title, author_id, project_id, created_at, updated_at) values ('First', 1, 1, now(), now()), ('Second', 1, 1, now(), now());
    insert into merge_requests (title, target_project_id, author_id, created_at, updated_at) values ('Merge', 1, 1, now(), now());
    insert into notes (note, noteable_type, noteable_id, author_id, project_id, created_at, updated_at) values
      ('on an issue', 'Issue', 1, 1, 1, now(), now()), ('on a request', 'MergeRequest', 1, 2, 1, now(), now()), ('on a commit', 'Commit', null, 9, 1, now(), now());
    insert into events (target_type, target_id, author_id, action, created_at, updated_at) values ('Issue', 1, 1, 1, now(), now()), (null, null, 1, 2, now(), now());
    insert into personal_access_tokens (user_id, name, token_digest, created_at, updated_at) values (1, 'ci', 'SECRET-token', now(), now());
    insert into p_ci_builds values (1, 100, 'build', 1, 'SECRET-build', 'ok', now());
    insert into p_ci_build_needs values (1, 100, 1, 'compile');
    insert into feature_1_settings (project_id, user_id, name, access_token, created_at, updated_at) values (1, 1, 'x', 'SECRET-feature', now(), now());
    refresh materialized view issues_by_project;
  `,
  printed: [
    '  personal_access_tokens: token_digest.',
    '  projects: creator_id to users.',
    '  notes: author_id to users, noteable_id to issues or merge_requests.',
    '  audit_log: It has no primary key, and no unique index without nulls, which could identify its rows. Add a key, and pull again.',
    "  ci_build_needs_100: It is a partition of 'p_ci_build_needs', which is served.",
  ],
  written: {
    'resources/issues.ts': [
      "  storedType: 'Issue',",
      "    movedFrom: hasMany('issues').via('movedToId'),",
      "    duplicatedFrom: hasMany('issues').via('duplicatedToId'),",
      "    notes: hasMany('notes').via('noteableId' /* no foreign key */),",
    ],
    'resources/notes.ts': [
      "    noteable: morphTo(['issues', 'merge-requests']).via('noteableId', 'noteableType' /* no foreign key */).nullable(),",
      '    createdAt: a.dateTime().readOnly(),',
    ],
    'resources/namespaces.ts': ["    children: hasMany('namespaces').via('parentId'),"],
  },
}

const discourse: LargeSchema = {
  name: 'Discourse',
  options: ['--relations', 'names', '--key', 'badge_posts=id'],
  types: 101,
  sql: `
    create table users (
      id serial primary key, username varchar(60) not null unique, name varchar, trust_level integer not null, admin boolean not null default false,
      primary_group_id integer, ip_address inet, ${times});
    create table user_passwords (
      id serial primary key, user_id integer not null unique, password_hash varchar(64) not null, password_salt varchar(32) not null, ${times});
    create table user_auth_tokens (id serial primary key, user_id integer not null, auth_token varchar not null, ${times});
    create table api_keys (id serial primary key, user_id integer, key_hash varchar not null, description text, ${times});
    create table user_options (user_id integer primary key, theme_ids integer[] not null default '{}', email_level integer not null default 1);
    create table groups (id serial primary key, name varchar not null unique, ${times});
    create table group_users (id serial primary key, group_id integer not null, user_id integer not null, ${times});
    create unique index on group_users (group_id, user_id);
    create index on group_users (user_id);
    create table categories (
      id serial primary key, name varchar(50) not null, user_id integer not null, topic_id integer, parent_category_id integer, slug varchar not null,
      ${times});
    create table topics (
      id serial primary key, title varchar not null, user_id integer, category_id integer, last_post_user_id integer not null,
      featured_user1_id integer, deleted_by_id integer, deleted_at timestamp, bumped_at timestamp not null, ${times});
    create index on topics (user_id);
    create index on topics (category_id);
    create table posts (
      id serial primary key, user_id integer, topic_id integer not null, post_number integer not null, raw text not null,
      reply_to_post_number integer, reply_to_user_id integer, deleted_by_id integer, ${times});
    create index on posts (user_id);
    create unique index on posts (topic_id, post_number);
    create table topic_tags (topic_id integer not null, tag_id integer not null, primary key (topic_id, tag_id));
    create index on topic_tags (tag_id);
    create table tags (id serial primary key, name varchar not null, target_tag_id integer, ${times});
    create table bookmarks (id bigserial primary key, user_id bigint not null, bookmarkable_type varchar, bookmarkable_id integer, ${times});
    create index on bookmarks (bookmarkable_type, bookmarkable_id);
    create table reviewables (
      id bigserial primary key, type varchar not null, target_type varchar, target_id integer, target_created_by_id integer,
      reviewable_by_group_id integer, ${times});
    create table translations (id serial primary key, translatable_type varchar not null, translatable_id integer not null, ${times});
    create table site_settings (id serial primary key, name varchar not null, value text, ${times});
    create table stylesheet_cache (target varchar(255) not null, content text not null);
    create view badge_posts as select p.id, p.user_id, p.topic_id from posts p;
    create table projects (id bigserial primary key, name varchar not null, ${times});
    ${features(84, { prefix: 'plugin', key: 'bigserial', reference: () => '' }).join('')}
    insert into users (username, trust_level, ip_address, created_at, updated_at) values ('sam', 4, '10.0.0.1', now(), now()), ('jeff', 1, null, now(), now());
    insert into user_passwords (user_id, password_hash, password_salt, created_at, updated_at) values (1, 'SECRET-hash', 'SECRET-salt', now(), now());
    insert into user_auth_tokens (user_id, auth_token, created_at, updated_at) values (1, 'SECRET-auth', now(), now());
    insert into api_keys (user_id, key_hash, created_at, updated_at) values (1, 'SECRET-key', now(), now());
    insert into user_options (user_id) values (1);
    insert into groups (name, created_at, updated_at) values ('staff', now(), now());
    insert into group_users (group_id, user_id, created_at, updated_at) values (1, 1, now(), now());
    insert into categories (name, user_id, slug, created_at, updated_at) values ('General', 1, 'general', now(), now());
    insert into topics (title, user_id, category_id, last_post_user_id, bumped_at, created_at, updated_at) values ('Hello', 1, 1, 2, now(), now(), now());
    insert into posts (user_id, topic_id, post_number, raw, created_at, updated_at) values (1, 1, 1, 'x', now(), now()), (77, 1, 2, 'of a user who is gone', now(), now());
    insert into tags (name, created_at, updated_at) values ('ux', now(), now());
    insert into topic_tags values (1, 1);
    insert into bookmarks (user_id, bookmarkable_type, bookmarkable_id, created_at, updated_at) values (1, 'Post', 1, now(), now()), (1, 'Topic', 1, now(), now());
    insert into reviewables (type, target_type, target_id, created_at, updated_at) values ('ReviewableFlaggedPost', 'Post', 1, now(), now());
    insert into projects (name, created_at, updated_at) values ('p', now(), now());
  `,
  printed: [
    '  user_auth_tokens: auth_token. Clients cannot create rows, which need auth_token.',
    '  bookmarks: user_id to users, bookmarkable_id to posts or topics.',
    '  posts: user_id to users, topic_id to topics, reply_to_user_id to users, deleted_by_id to users.',
    '  reviewables: target_created_by_id to users, reviewable_by_group_id to groups, target_id to posts.',
    '  translations.translatable_id, translatable_type: They may refer to rows of several tables, but no row names a type: they are attributes. Pull again when there are such rows.',
  ],
  written: {
    'resources/topics.ts': [
      "    user: belongsTo('users').via('userId' /* no foreign key */).nullable().filterable(),",
      "    lastPostUser: belongsTo('users').via('lastPostUserId' /* no foreign key */).required(),",
      "    tags: belongsToMany('tags').through(topicTags, { owner: 'topicId', member: 'tagId' } /* no foreign key */),",
      "    posts: hasMany('posts').via('topicId' /* no foreign key */),",
    ],
    'resources/users.ts': ["    userOption: hasOne('user-options').via('userId' /* no foreign key */).readOnly(),"],
  },
}

const mastodon: LargeSchema = {
  name: 'Mastodon',
  options: ['--relations', 'names', '--key', 'user_ips=id'],
  types: 49,
  sql: `
    create function timestamp_id(table_name text) returns bigint language sql volatile as
      $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint * 65536 + (random() * 65535)::bigint $$;
    create table accounts (
      id bigint not null default timestamp_id('accounts') primary key, username varchar not null, domain varchar, private_key text,
      public_key text not null default '', note text not null default '', fields jsonb, also_known_as varchar[],
      moved_to_account_id bigint references accounts, ${times});
    create index on accounts (moved_to_account_id);
    create unique index on accounts (lower(username), coalesce(lower(domain), ''));
    create table users (
      id bigserial primary key, email varchar not null default '' unique, encrypted_password varchar not null default '', otp_secret varchar,
      otp_backup_codes varchar[], reset_password_token varchar unique, confirmation_token varchar, account_id bigint not null references accounts,
      invite_id bigint, webauthn_id varchar, sign_up_ip inet, ${times});
    create index on users (account_id);
    create table statuses (
      id bigint not null default timestamp_id('statuses') primary key, text text not null default '', account_id bigint not null references accounts,
      in_reply_to_id bigint references statuses, reblog_of_id bigint references statuses, in_reply_to_account_id bigint references accounts,
      visibility integer not null default 0, poll_id bigint, deleted_at timestamp, ${times});
    create index on statuses (account_id);
    create index on statuses (in_reply_to_id);
    create index on statuses (reblog_of_id);
    create index on statuses (in_reply_to_account_id);
    create table tags (id bigserial primary key, name varchar not null default '', ${times});
    create table statuses_tags (status_id bigint not null, tag_id bigint not null, primary key (tag_id, status_id));
    create index on statuses_tags (status_id);
    create table follows (
      id bigserial primary key, account_id bigint not null references accounts, target_account_id bigint not null references accounts, ${times});
    create unique index on follows (account_id, target_account_id);
    create index on follows (target_account_id);
    create table admin_action_logs (id bigserial primary key, account_id bigint references accounts, action varchar not null default '', target_type varchar, target_id bigint, ${times});
    create index on admin_action_logs (target_type, target_id);
    create index on admin_action_logs (account_id);
    create table settings (id bigserial primary key, var varchar not null, value text, thing_type varchar, thing_id bigint, created_at timestamp, updated_at timestamp);
    create unique index on settings (thing_type, thing_id, var);
    create table web_push_subscriptions (id bigserial primary key, endpoint varchar not null, key_p256dh varchar not null, key_auth varchar not null, user_id bigint references users, ${times});
    create index on web_push_subscriptions (user_id);
    create table oauth_applications (id bigserial primary key, name varchar not null, uid varchar not null unique, secret varchar not null, redirect_uri text not null, owner_type varchar, owner_id bigint, created_at timestamp, updated_at timestamp);
    create table session_activations (id bigserial primary key, session_id varchar not null unique, user_id bigint not null references users, ip inet, ${times});
    create table projects (id bigserial primary key, name varchar not null, ${times});
    create view user_ips as select id, sign_up_ip as ip from users;
    create materialized view account_summaries as select id as account_id, username from accounts;
    create unique index on account_summaries (account_id);
    ${features(36, { prefix: 'app', key: 'bigserial', reference: (table) => ` references ${table}` }).join('')}
    insert into accounts (id, username, private_key, created_at, updated_at) values (1, 'gargron', 'SECRET-private', now(), now()), (2, 'ann', null, now(), now());
    insert into users (email, encrypted_password, otp_secret, otp_backup_codes, confirmation_token, account_id, created_at, updated_at)
      values ('a@mastodon.example', 'SECRET-digest', 'SECRET-otp', '{SECRET-code}', 'SECRET-confirm', 1, now(), now());
    insert into statuses (id, text, account_id, created_at, updated_at) values (1, 'toot', 1, now(), now());
    insert into statuses (id, text, account_id, in_reply_to_id, created_at, updated_at) values (2, 'reply', 2, 1, now(), now());
    insert into tags (name, created_at, updated_at) values ('fediverse', now(), now());
    insert into statuses_tags values (1, 1);
    insert into follows (account_id, target_account_id, created_at, updated_at) values (2, 1, now(), now());
    insert into admin_action_logs (account_id, action, target_type, target_id, created_at, updated_at) values (1, 'silence', 'Account', 2, now(), now()), (1, 'update', 'Status', 1, now(), now());
    insert into web_push_subscriptions (endpoint, key_p256dh, key_auth, user_id, created_at, updated_at) values ('https://push.example', 'SECRET-p', 'SECRET-a', 1, now(), now());
    insert into oauth_applications (name, uid, secret, redirect_uri) values ('app', 'x', 'SECRET-app', 'urn:x');
    insert into session_activations (session_id, user_id, created_at, updated_at) values ('SECRET-session', 1, now(), now());
    refresh materialized view account_summaries;
  `,
  printed: [
    '  accounts: private_key.',
    '  statuses_tags: tag_id to tags, status_id to statuses.',
    '  admin_action_logs: target_id to accounts or statuses.',
  ],
  written: {
    'resources/statuses.ts': [
      "    replies: hasMany('statuses').via('inReplyToId'),",
      "    reblogs: hasMany('statuses').via('reblogOfId'),",
    ],
    'resources/accounts.ts': ["  storedType: 'Account',"],
  },
}

/** The tables of a department, with references to each other and to other departments. */
function department(schema: string, count: number): string {
  return numbers(count)
    .map(
      (number) => `
    create table ${schema}.record${number} (
      record${number}id serial primary key, businessentityid integer not null references person.businessentity, name varchar(50) not null,
      ${number === 1 ? '' : `record${number - 1}id integer references ${schema}.record${number - 1},`}
      amount numeric(19, 4) not null default 0.00 check (amount >= 0.00), rowguid uuid not null default gen_random_uuid(),
      modifieddate timestamp not null default now());
    create index on ${schema}.record${number} (businessentityid);`,
    )
    .join('')
}

const departments = ['humanresources', 'person', 'production', 'purchasing', 'sales'] as const

const adventureWorks: LargeSchema = {
  name: 'AdventureWorks',
  options: [
    ...departments.flatMap((schema) => ['--schema', schema]),
    '--key',
    'vemployee=businessentityid',
    '--key',
    'sales.vcustomertotals=customerid',
  ],
  types: 71,
  sql: `
    ${departments.map((schema) => `create schema ${schema};`).join('')}
    create domain public.name varchar(50);
    create domain public.flag boolean not null;
    create table person.businessentity (businessentityid serial primary key, rowguid uuid not null default gen_random_uuid(), modifieddate timestamp not null default now());
    create table person.person (
      businessentityid integer primary key references person.businessentity, persontype char(2) not null check (persontype in ('SC', 'VC', 'IN', 'EM', 'SP', 'GC')),
      firstname public.name not null, lastname public.name not null, additionalcontactinfo xml, modifieddate timestamp not null default now());
    create table person.password (
      businessentityid integer primary key references person.person, passwordhash varchar(128) not null, passwordsalt varchar(10) not null,
      modifieddate timestamp not null default now());
    create table person.phonenumbertype (phonenumbertypeid serial primary key, name public.name not null);
    create table person.personphone (
      businessentityid integer not null references person.person, phonenumber varchar(25) not null,
      phonenumbertypeid integer not null references person.phonenumbertype, primary key (businessentityid, phonenumber, phonenumbertypeid));
    create table humanresources.department (departmentid serial primary key, name public.name not null, groupname public.name not null);
    create table humanresources.employee (
      businessentityid integer primary key references person.person, nationalidnumber varchar(15) not null, loginid varchar(256) not null,
      birthdate date not null check (birthdate >= '1930-01-01'), maritalstatus char(1) not null, salariedflag public.flag default true,
      organizationnode varchar default '/', modifieddate timestamp not null default now());
    create table humanresources.employeedepartmenthistory (
      businessentityid integer not null references humanresources.employee, departmentid integer not null references humanresources.department,
      startdate date not null, enddate date, primary key (businessentityid, startdate, departmentid));
    create table production.product (
      productid serial primary key, name public.name not null, productnumber varchar(25) not null, listprice numeric not null,
      size varchar(5), rowguid uuid not null default gen_random_uuid());
    create table production.productphoto (productphotoid serial primary key, thumbnailphoto bytea, modifieddate timestamp not null default now());
    create table production.document (documentnode varchar primary key default '/', title varchar(50) not null, owner integer not null references humanresources.employee, document bytea);
    create table production.transactionhistory (transactionid serial primary key, productid integer not null references production.product, quantity integer not null);
    create table purchasing.vendor (businessentityid integer primary key references person.businessentity, accountnumber varchar(15) not null, name public.name not null);
    create table purchasing.productvendor (
      productid integer not null references production.product, businessentityid integer not null references purchasing.vendor,
      standardprice numeric not null, primary key (productid, businessentityid));
    create table purchasing.transactionhistory (transactionid serial primary key, vendorid integer references purchasing.vendor);
    create table sales.creditcard (creditcardid serial primary key, cardtype varchar(50) not null, cardnumber varchar(25) not null, expyear smallint not null);
    create table sales.customer (customerid serial primary key, personid integer references person.person, rowguid uuid not null default gen_random_uuid());
    create table sales.salesorderheader (
      salesorderid serial primary key, orderdate timestamp not null default now(), status smallint not null default 1 check (status between 0 and 8),
      customerid integer not null references sales.customer, creditcardid integer references sales.creditcard, subtotal numeric not null default 0.00);
    create index on sales.salesorderheader (customerid);
    create table sales.salesorderdetail (
      salesorderid integer not null references sales.salesorderheader on delete cascade, salesorderdetailid serial, productid integer not null references production.product,
      orderqty smallint not null check (orderqty > 0), primary key (salesorderid, salesorderdetailid));
    create view humanresources.vemployee as select e.businessentityid, p.firstname, p.lastname from humanresources.employee e join person.person p using (businessentityid);
    create view sales.vcustomertotals as select customerid, count(*) as orders from sales.salesorderheader group by customerid;
    ${departments.map((schema) => department(schema, 10)).join('')}
    insert into person.businessentity default values;
    insert into person.businessentity default values;
    insert into person.person (businessentityid, persontype, firstname, lastname) values (1, 'EM', 'Ken', 'Sánchez');
    insert into person.password values (1, 'SECRET-hash', 'SECRETsalt');
    insert into humanresources.department (name, groupname) values ('Engineering', 'Research');
    insert into humanresources.employee (businessentityid, nationalidnumber, loginid, birthdate, maritalstatus) values (1, '295847284', 'adventure-works/ken0', '1969-01-29', 'S');
    insert into humanresources.employeedepartmenthistory values (1, 1, '2009-01-14', null);
    insert into production.product (name, productnumber, listprice) values ('Adjustable Race', 'AR-5381', 0);
    insert into purchasing.vendor values (2, 'AUSTRALI0001', 'Australia Bike Retailer');
    insert into purchasing.productvendor values (1, 2, 47.87);
    insert into sales.creditcard (cardtype, cardnumber, expyear) values ('Vista', 'SECRET-card', 2030);
    insert into sales.customer (personid) values (1);
    insert into sales.salesorderheader (customerid, creditcardid) values (1, 1);
    insert into sales.salesorderdetail (salesorderid, productid, orderqty) values (1, 1, 3);
  `,
  printed: [
    '  person.password: passwordhash, passwordsalt. Clients cannot create rows, which need passwordhash, passwordsalt.',
    '  sales.creditcard: cardnumber. Clients cannot create rows, which need cardnumber.',
  ],
  written: {
    'resources/employees.ts': ["  model: table<EmployeeRow>('humanresources.employee', { key: 'businessentityid' }),"],
    'resources/purchasing-transactionhistories.ts': [
      "export const purchasingTransactionhistories = defineResource('purchasing-transactionhistories', {",
    ],
  },
}

export const largeSchemas: readonly LargeSchema[] = [gitlab, discourse, mastodon, adventureWorks]
