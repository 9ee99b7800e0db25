import type { PlannedField, PlannedJoin, PlannedModel, PlannedType } from '../plan/plan.js'
import { listLiteral, memberOf, propertyKey, textLiteral } from '../plan/source-name.js'

const width = 120

/** Returns the text of the declaration file of a type. */
export function typeText(planned: PlannedType): string {
  const { type, constant, comment, model, id, attributes, relations, filters, storedType } = planned
  return [
    importsText(planned),
    rowText(model),
    [
      ...(comment === null ? [] : [commentText(comment)]),
      `export const ${constant} = defineResource(${textLiteral(type)}, {`,
      `  model: ${modelText(model, '  ')},`,
      `  id: ${id.join('.')},`,
      ...(storedType === null ? [] : [`  storedType: ${textLiteral(storedType)},`]),
      ...secretsText(planned),
      ...fieldsText('attributes: (a) => (', attributes, ')'),
      ...fieldsText('relations: ', relations, ''),
      ...fieldsText('filters: (f) => (', filters, ')'),
      ...filledText(planned),
      ...operationsText(planned),
      '})',
      '',
    ].join('\n'),
  ].join('\n\n')
}

/** Returns the text of the file of a table of join rows. */
export function joinText({ constant, comment, model }: PlannedJoin): string {
  return [
    [...(hasJson(model) ? [`import type { JsonValue } from 'ashlar'`] : []), `import { table } from 'ashlar/sql'`].join(
      '\n',
    ),
    rowText(model),
    [
      commentText(comment ?? 'The join rows of two types: see the relations that use them.'),
      `export const ${constant} = ${modelText(model, '')}`,
      '',
    ].join('\n'),
  ].join('\n\n')
}

function importsText({ model, relations, joins }: PlannedType): string {
  const kinds = relations.map(({ calls }) => calls[0]?.split('(')[0] ?? '')
  const names = [...new Set(['defineResource', 'id', ...kinds]), ...(hasJson(model) ? ['type JsonValue'] : [])]
  names.sort((one, other) =>
    one.replace('type ', '').toLowerCase() < other.replace('type ', '').toLowerCase() ? -1 : 1,
  )
  const files = [...new Map(joins.map((join) => [join.file, join])).values()].toSorted((a, b) =>
    a.file < b.file ? -1 : 1,
  )
  return [
    `import { ${names.join(', ')} } from 'ashlar'`,
    `import { table } from 'ashlar/sql'`,
    ...files.map(({ constant, file }) => `import { ${constant} } from './${file}.js'`),
  ].join('\n')
}

function hasJson({ row }: PlannedModel): boolean {
  return row.some(({ type }) => type.includes('JsonValue'))
}

function rowText({ rowName, row }: PlannedModel): string {
  const members = row.map(({ name, type }) => `  ${propertyKey(name)}: ${type}`)
  return [`export interface ${rowName} {`, ...members, '}'].join('\n')
}

function commentText(comment: string): string {
  // The comment must not contain the end of a comment.
  const lines = comment.replaceAll('*/', '*\\/').split(/\r?\n/)
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n')
}

function modelText({ rowName, table, schema, key, columns }: PlannedModel, indent: string): string {
  const [only = ''] = key
  const keyText = key.length > 1 ? listLiteral(key) : textLiteral(only)
  const declared = columns.map(({ member, name, type }) => {
    const parts = [
      ...(name === null ? [] : [`name: ${textLiteral(name)}`]),
      ...(type === null ? [] : [`type: '${type}'`]),
    ]
    return `${propertyKey(member)}: ${name === null ? `'${type}'` : `{ ${parts.join(', ')} }`}`
  })
  const options = [
    ...(key.length === 1 && only === 'id' ? [] : [`key: ${keyText}`]),
    ...(schema === null ? [] : [`schema: ${textLiteral(schema)}`]),
    ...(declared.length === 0 ? [] : [`columns: { ${declared.join(', ')} }`]),
  ]
  const call = `table<${rowName}>(${textLiteral(table)}`
  if (options.length === 0) return `${call})`
  const line = `${call}, { ${options.join(', ')} })`
  if (line.length + indent.length + 'model: ,'.length <= width) return line
  return [`${call}, {`, ...options.map((option) => `${indent}  ${option},`), `${indent}})`].join('\n')
}

function fieldsText(start: string, fields: readonly PlannedField[], end: string): readonly string[] {
  if (fields.length === 0) return []
  return [`  ${start}{`, ...fields.map((field) => fieldText(field)), `  }${end},`]
}

/** Returns a comment with the attributes that are left out, and how to serve one. */
function secretsText({ model, secrets }: PlannedType): readonly string[] {
  if (secrets.length === 0) return []
  return [
    `  // Left out, because these columns look like secrets. To serve one, add it to ${model.rowName} and to the attributes.`,
    '  // With writeOnly(), clients can set it, and never see it.',
    ...secrets.flatMap((field) => fieldText(field).split('\n')).map((line) => `  // ${line.slice(2)}`),
  ]
}

/** Returns the members that set times as the application does for which the database was made. */
function filledText({ filled: { created, updated }, isCreatable }: PlannedType): readonly string[] {
  const onCreate = isCreatable ? [...created, ...updated] : []
  if (onCreate.length + updated.length === 0) return []
  return [
    '  // The database does not fill these times, so the service does.',
    ...defaultsText(onCreate),
    ...(updated.length === 0
      ? []
      : [
          '  hooks: {',
          '    beforeUpdate(draft) {',
          ...updated.map((member) => `      ${memberOf('draft', member)} = new Date()`),
          '    },',
          '  },',
        ]),
  ]
}

/** Sets all times of a new row to the same one. */
function defaultsText(members: readonly string[]): readonly string[] {
  const timesOf = (time: string): string => members.map((member) => `${propertyKey(member)}: ${time}`).join(', ')
  if (members.length === 0) return []
  if (members.length === 1) return [`  defaults: () => ({ ${timesOf('new Date()')} }),`]
  return ['  defaults() {', '    const now = new Date()', `    return { ${timesOf('now')} }`, '  },']
}

function operationsText({ isReadOnly, isCreatable }: PlannedType): readonly string[] {
  if (isReadOnly) return ['  readOnly: true,']
  if (isCreatable) return []
  return [
    '  // Without Create, because the database requires a value that is left out above.',
    `  operations: ['FetchCollection', 'FetchOne', 'Update', 'Delete'],`,
  ]
}

/** Returns a field in one line, or with a line for each call. */
function fieldText({ name, calls }: PlannedField): string {
  const line = `    ${propertyKey(name)}: ${calls.join('.')},`
  if (line.length <= width && !line.includes('\n')) return line
  const [head = '', ...rest] = calls
  const [first, ...others] = head.startsWith('a.') ? ['a', head.slice(2), ...rest] : [head, ...rest]
  const chain = others.map((call) => `\n      .${call.replaceAll('\n', '\n      ')}`)
  return `    ${propertyKey(name)}: ${first}${chain.join('')},`
}
