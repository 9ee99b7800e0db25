import type { SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { tableWords } from './table-name.js'
import { wordsOf } from './words.js'

/**
 * Finds the columns that look like secrets by their names and types: passwords, tokens, private keys, encrypted values. A column that
 * refers to one of them has its value, and is one too. Other foreign keys are none.
 */
export function secretColumns(tables: readonly SchemaTable[]): ReadonlySet<SchemaColumn> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const found = new Set(
    tables.flatMap((table) => {
      const foreign = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
      return table.columns.filter((column) => !foreign.has(column.name) && looksSecret(table, column))
    }),
  )
  const references = tables.flatMap((table) =>
    table.foreignKeys.flatMap(({ table: target, columns, references: referenced }) =>
      columns.flatMap((name, index) => {
        const [from, to] = [columnOf(table, name), columnOf(byName.get(target ?? ''), referenced[index])]
        return from === undefined || to === undefined ? [] : [{ from, to }]
      }),
    ),
  )
  // A referenced column may itself refer to a secret.
  for (let count = -1; count !== found.size; ) {
    count = found.size
    for (const { from, to } of references) if (found.has(to)) found.add(from)
  }
  return found
}

function columnOf(table: SchemaTable | undefined, name: string | undefined): SchemaColumn | undefined {
  return table?.columns.find((column) => column.name === name)
}

/** Returns whether a column looks like a secret. */
function looksSecret(table: SchemaTable, column: SchemaColumn): boolean {
  const words = wordsOf(column.name)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  // A flag, a time or one of a few known values is about a secret: `password_changed_at`, `otp_enabled`.
  if (column.labels !== undefined || plainTypes.has(column.type) || flagWords.has(first)) return false
  const name = words.join(' ')
  if (numberTypes.has(column.type)) {
    return secretNumber.test(name) || (name === 'code' && isInSecretTable(table, name, column))
  }
  if (encrypted.test(name)) return !timeWords.has(last)
  if (isInSecretTable(table, name, column)) return true
  return secretName.test(name) && !aboutWords.has(last)
}

const plainTypes: ReadonlySet<string> = new Set<SchemaColumn['type']>([
  'boolean',
  'date',
  'time',
  'instant',
  'timestamp',
  'epochSeconds',
  'epochMilliseconds',
])

const numberTypes: ReadonlySet<string> = new Set<SchemaColumn['type']>([
  'integer',
  'bigint',
  'number',
  'real',
  'decimal',
])

/** First words of flags and limits: `is_secret`, `max_tokens`. */
const flagWords: ReadonlySet<string> = new Set(
  'is has can use uses allow allows require requires force must should min max minimum maximum num enable disable'.split(
    ' ',
  ),
)

const timeWords: ReadonlySet<string> = new Set('at on by algorithm version'.split(' '))

/** Last words of columns that describe a secret without containing it: `token_type`, `api_key_id`, `password_expires`. */
const aboutWords: ReadonlySet<string> = new Set([
  ...timeWords,
  ...`address age alg attempts audience changed confirmed count created date decimals description disabled enabled endpoint expiration
  expired expires expiry format host id ids index issuer kind label length lifetime limit method name order owner policy position
  prefix provider required revoked scope scopes size source standard state status strategy symbol time title ttl type until updated
  uri url usage used user uses valid verified`.split(/\s+/),
])

/** The kinds of codes that replace a password: `otp_backup_codes`, `verification_code`. */
const codes =
  '(?:2fa|access|activation|auth|authentication|authorization|backup|confirmation|login|mfa|one time|otp|pin|recovery|reset|scratch|sms|verification) codes?'

/** The kinds of keys that are secret. Keys of rows, caches, sorts and translations are not, and neither are public keys. */
const keys =
  '(?:access|activation|api|auth|authentication|confirmation|consumer|encrypted|encryption|hmac|invitation|invite|licen[cs]e|login|master|preshared|private|recovery|remember|reset|rsa|secret|session|shared|sign|signing|ssl|stream|symmetric|tls|unsubscribe|verification|webhook|wrapped) ?keys?'

const secretName = new RegExp(
  [
    // Also as a part of a word: `passwordhash`.
    'password',
    'passwd',
    'passphrase',
    String.raw`\b(?:passcode|passkey|passwort|kennwort|senha|contrasena|pwd|pw)s?\b`,
    String.raw`^pass$|\b(?:admin|auth|db|ftp|ldap|login|smtp|user) pass$|\bpass hash\b`,
    // Also at the end of a word: `accesstoken`.
    String.raw`(?:token|secret)s?\b`,
    String.raw`\b(?:credential|otp|totp|hotp|jwt|bearer|hmac|psk|salt|mnemonic)s?\b`,
    String.raw`\bdigest$`,
    String.raw`\bpin(?: hash| number)?$`,
    String.raw`\b(?:cvv2?|cvc2?|ssn|social security)\b`,
    String.raw`\bcard ?number$`,
    String.raw`\bprivate (?:cert|certificate|pem)\b|\bkey pem$`,
    String.raw`\b(?:security answer|seed phrase|connection string|session data|session cookie|key auth|p256dh)\b`,
    String.raw`\b${keys}\b`,
    String.raw`\b${codes}\b`,
  ].join('|'),
)

const encrypted = /\b(?:encrypted|crypted|ciphertext)\b/

const secretNumber = new RegExp(
  String.raw`\b(?:pin|cvv2?|cvc2?|ssn|otp|totp|passcode|social security number|card ?number|${codes})$`,
)

/** Tables of secrets, in which plain names are secret: `api_keys.key_hash`, `recovery_codes.code`. */
const secretTable = new RegExp(
  String.raw`(?:token|secret|credential|password|confirmation)s?\b|\b(?:otp|totp|second factors?|verifications?|${keys}|${codes})\b`,
)

/** Tables of accounts, in which a plain hash is that of a password. */
const accountTable = /\b(?:account|admin|customer|login|member|user)s?$/

const sessionTable = /\bsessions?\b/

function isInSecretTable(inspected: SchemaTable, column: string, { type }: SchemaColumn): boolean {
  const { columns } = inspected
  const table = tableWords(inspected).join(' ')
  if (column === 'key' && type === 'bytes') return true
  if (/^(?:hash|hashed)$/.test(column) && accountTable.test(table)) return true
  if (
    secretTable.test(table) &&
    /^(?:value|key|code|codes|hash|digest|data|payload|key hash|code hash)$/.test(column)
  ) {
    return true
  }
  if (!sessionTable.test(table)) return false
  if (/^(?:sid|sess|session id|session key|session data)$/.test(column)) return type !== 'uuid'
  // A store of sessions has the content of each session, by its secret id.
  const isStore = columns.some((each) => /^(?:payload|sess|data|session data)$/.test(wordsOf(each.name).join(' ')))
  return isStore && /^(?:id|payload|data)$/.test(column) && type !== 'uuid'
}
