import { describe, expect, test } from 'vitest'
import { planService } from '../../src/tools/pull/plan/plan-service.js'
import { secretColumns } from '../../src/tools/pull/plan/secret-columns.js'
import type { SchemaColumn, SchemaTable } from '../../src/stores/sql/schema/database-schema.js'
import { secretNotes } from '../../src/tools/pull/secret-notes.js'
import { declarationFilesOf } from '../../src/tools/pull/write/pulled-files.js'
import { column, foreignKey, reference, serial, table } from './schema.js'

const planned = (...tables: readonly SchemaTable[]) =>
  planService(
    { engine: 'postgres', schema: null, tables, unreadable: [], typeValues: new Map(), hasSpacedInstants: false },
    { casing: 'camelCase', excluded: [], relatesByName: false },
  )

const notesOf = (...tables: readonly SchemaTable[]): readonly string[] =>
  secretNotes(planned(...tables).secrets, () => null).map(({ subject, sentence }) => `${subject}: ${sentence}`)

const textOf = (name: string, ...tables: readonly SchemaTable[]): string =>
  declarationFilesOf(planned(...tables)).get(`${name}.ts`) ?? ''

/** Returns which columns of a table are found to be secrets. A name may end with its type: `pin integer`. */
function secretsOf(name: string, columns: string): readonly string[] {
  const made = table(name, [
    serial('row_id'),
    ...columns
      .trim()
      .split(/\s*,\s*/)
      .map((text) => {
        const [named, type = 'text'] = text.split(' ') as [string, SchemaColumn['type']?]
        return column(named, { type })
      }),
  ])
  return [...secretColumns([made])].map((secret) => secret.name)
}

/** Columns of well-known applications and libraries. */
const secret: Readonly<Record<string, string>> = {
  users: `password, encrypted_password, crypted_password, password_digest, password_hash, passwordHash, PasswordSalt, passwd, user_pass,
    hashed_password, hash, salt, reset_password_token, confirmation_token, unlock_token, remember_token, feed_token,
    incoming_email_token, static_object_token_encrypted, otp_secret, otp_backup_codes list, encrypted_otp_secret,
    encrypted_otp_secret_iv, encrypted_otp_secret_salt, two_factor_secret, two_factor_recovery_codes, totp, sign_in_token,
    user_activation_key, recovery_token, email_change_token_new, pin, pin integer, ssn, ssn bigint, security_answer,
    password_hint, perishable_token, single_access_token, api_key, apikey, APIKey, api_key uuid, access_token bytes`,
  accounts: `private_key, access_token, refresh_token, id_token, accessToken, refreshToken, oauth_token_secret, credentials json`,
  projects: `runners_token, runners_token_encrypted, encrypted_credentials, encrypted_credentials_iv, import_password, webhook_secret,
    encrypted_url, encrypted_name`,
  application_settings: `akismet_api_key, recaptcha_private_key, health_check_access_token, smtp_password, lets_encrypt_private_key,
    encrypted_ci_jwt_signing_key, secret_key_base, aws_secret_access_key, connection_string, tls_key, jwt, hmac`,
  web_hooks: `secret, encrypted_token, signing_key`,
  payments: `cvv, cvv integer, card_number, card_number bigint, CardNumber, cardnumber`,
  api_keys: `key, key_hash, digest`,
  authtoken_token: `key`,
  otp_totp_totpdevice: `key`,
  user_second_factors: `data`,
  recovery_codes: `code`,
  otp_codes: `code integer`,
  verification: `value`,
  personal_access_tokens: `token, token_digest`,
  email_tokens: `token, token_hash`,
  user_auth_tokens: `auth_token, prev_auth_token`,
  django_session: `session_key, session_data`,
  session_activations: `session_id`,
  sessions: `sid, sess json`,
  web_push_subscriptions: `key_p256dh, key_auth`,
  system_keys: `key bytes`,
  posts: `post_password`,
}

const plain: Readonly<Record<string, string>> = {
  users: `email, name, username, reset_password_sent_at instant, password_changed_at, password_expires_at, otp_required_for_login boolean,
    otp_enabled, password_algorithm, failed_attempts integer, consumed_timestep integer, otp_grace_period_started_at,
    public_key, token_id, api_key_id, api_key_id uuid, credential_id, is_secret, has_password, passport_number, compass, bypass,
    boarding_pass, pinned_at, secretary, hash_tag, keyboard, monkey, external_id, session_id`,
  settings: `key, value, sort_key, cache_key, primary_key, foreign_key, translation_key, partition_key, idempotency_key, object_key, s3_key,
    recaptcha_site_key, key_name, minimum_password_length integer, max_tokens, personal_access_token_prefix, secret_name`,
  usage: `prompt_tokens integer, tokens integer, token_count, token_type, token_url, tokenizer, salt decimal`,
  api_keys: `name, truncated_key, scopes, last_used_at, revoked, prefix`,
  personal_access_tokens: `name, scopes, last_used_at, expires_at, description`,
  oauth_applications: `uid, redirect_uri, scopes`,
  files: `content_hash, sha256, checksum, fingerprint, digested, basalt`,
  commits: `sha, hash, parent_hash`,
  messages: `digest_after_minutes integer, email_digests boolean, encrypted boolean, encrypted_at`,
  keys: `key, fingerprint`,
  albums: `title, data, code, value`,
  sessions: `title, room, starts_at, user_agent`,
}

test.each(Object.entries(secret))('the secrets of %s are found', (name, columns) => {
  const expected = columns.split(',').map((text) => text.trim().split(' ')[0])
  expect(secretsOf(name, columns)).toEqual(expected)
})

test.each(Object.entries(plain))('no secrets are found in the plain columns of %s', (name, columns) => {
  expect(secretsOf(name, columns)).toEqual([])
})

describe('a column that looks like a secret', () => {
  const users = table(
    'users',
    [
      serial(),
      column('email'),
      column('password_digest', { nullable: true }),
      column('reset_token', { nullable: true }),
      column('bio', { nullable: true }),
    ],
    { indexes: ['reset_token!', 'reset_token,email!', 'email'], comment: 'Who signs in.' },
  )

  test('is no attribute, filter, sort or member of the row, and a comment shows how to serve it', () => {
    expect(textOf('users', users)).toBe(`import { defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface UserRow {
  id: number
  email: string
  bio: string | null
}

/** Who signs in. */
export const users = defineResource('users', {
  model: table<UserRow>('users'),
  id: id(),
  // Left out, because these columns look like secrets. To serve one, add it to UserRow and to the attributes.
  // With writeOnly(), clients can set it, and never see it.
  //   passwordDigest: a.string().nullable(),
  //   resetToken: a.string().nullable().unique(),
  attributes: (a) => ({
    email: a.string().required().sortable(),
    bio: a.string().nullable(),
  }),
  filters: (f) => ({
    email: f.where(),
  }),
})
`)
    expect(notesOf(users)).toEqual(['users: password_digest, reset_token.'])
  })

  test('that the database requires makes the type one without Create', () => {
    const tokens = table('tokens', [serial(), column('name'), column('token')])
    expect(textOf('tokens', tokens)).toContain(`
  // Without Create, because the database requires a value that is left out above.
  operations: ['FetchCollection', 'FetchOne', 'Update', 'Delete'],
})`)
    expect(notesOf(tokens)).toEqual(['tokens: token. Clients cannot create rows, which need token.'])
  })

  test('as a key makes the table one that is not served, and columns that refer to it are secrets', () => {
    const sessions = table('sessions', [column('token'), column('user_agent')])
    const visits = table('visits', [serial(), column('session')], {
      foreignKeys: [foreignKey('session', 'sessions', 'token')],
    })
    const clicks = table('clicks', [serial(), column('session')], {
      foreignKeys: [foreignKey('session', 'visits', 'session')],
    })
    const tables = [sessions, visits, clicks]
    const { types, notes } = planned(...tables)
    expect(types.map(({ type, attributes }) => [type, attributes])).toEqual([
      ['visits', []],
      ['clicks', []],
    ])
    expect(notes).toEqual([
      {
        kind: 'notServed',
        subject: 'sessions',
        sentence:
          "The column 'token' of its key looks like a secret, and ids are in every link. Declare the type yourself if it is none.",
      },
    ])
    expect(notesOf(...tables)).toEqual([
      'visits: session. Clients cannot create rows, which need session.',
      'clicks: session. Clients cannot create rows, which need session.',
    ])
  })

  test('with the name of a foreign key is a relation', () => {
    const tokens = table('tokens', [serial(), column('name')])
    const calls = table('calls', [serial(), reference('token')], { foreignKeys: [foreignKey('token', 'tokens')] })
    expect(textOf('calls', tokens, calls)).toContain("token: belongsTo('tokens').via('token').required()")
  })

  test('is no field of a relation through join rows', () => {
    const members = table(
      'memberships',
      [
        reference('user_id'),
        reference('team_id'),
        column('invitation_token', { nullable: true }),
        column('role', { nullable: true }),
      ],
      {
        primaryKey: ['user_id', 'team_id'],
        foreignKeys: [foreignKey('user_id', 'users'), foreignKey('team_id', 'teams')],
      },
    )
    const tables = [members, users, table('teams', [serial()])]
    expect(textOf('users', ...tables)).toContain('fields((a) => ({ role: a.string().nullable() }))')
    expect(textOf('memberships', ...tables)).not.toContain('invitationToken')
    expect(notesOf(...tables)).toContain('memberships: invitation_token.')
  })

  test('that a user has declared is served, and the notes say so', () => {
    const edited = textOf('users', users).replace('email: a', 'resetToken: a.string().nullable(),\n    email: a')
    expect(secretNotes(planned(users).secrets, () => edited)).toEqual([
      { kind: 'secret', subject: 'users', sentence: 'password_digest.' },
      {
        kind: 'note',
        subject: 'users.reset_token',
        sentence: "It looks like a secret, and is served: users.ts declares 'resetToken'.",
      },
    ])
  })
})
