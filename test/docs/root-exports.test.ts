import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An export of an entry file, with the TSDoc comment of its declaration. */
interface DocumentedExport {
  readonly name: string
  readonly isValue: boolean
  /** The text before the first tag. */
  readonly comment: string
  readonly hasExample: boolean
  /** The names in the `{@link}` tags of the comment. */
  readonly links: readonly string[]
}

const entries = [
  { entry: 'ashlar', exported: exportsOf('src/index.ts'), values: 30, types: 90 },
  { entry: '@ashlar/client', exported: exportsOf('src/client.ts'), values: 3, types: 30 },
]

describe.each(entries)('every export of $entry', ({ exported, values, types }) => {
  const withExample = new Set(exported.filter(({ hasExample }) => hasExample).map(({ name }) => name))

  test('is found', () => {
    expect(exported.filter(({ isValue }) => isValue).length).toBeGreaterThanOrEqual(values)
    expect(exported.filter(({ isValue }) => !isValue).length).toBeGreaterThanOrEqual(types)
  })

  test.each(exported)('$name: has a comment that begins with a sentence', ({ comment }) => {
    expect(comment).toMatch(/^[A-Z`].*?[.:](?:\s|$)/s)
  })

  test.each(exported.filter(({ isValue }) => isValue))('$name(): has an example', ({ hasExample }) => {
    expect(hasExample).toBe(true)
  })

  test.each(exported.filter(({ isValue }) => !isValue))('$name: has an example, or links one', (type) => {
    const linked = type.links.filter((name) => withExample.has(name))
    expect(type.hasExample || linked.length > 0, `links: ${type.links.join(', ')}`).toBe(true)
  })
})

/** Follows each name of an entry file to the declaration that it re-exports. */
function exportsOf(entry: string): readonly DocumentedExport[] {
  return parsed(entry).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) return []
    if (!ts.isNamedExports(statement.exportClause)) throw new Error(`${entry} has an export without names`)
    const source = (statement.moduleSpecifier as ts.StringLiteral).text
    const file = parsed(`src/${source.replace(/^\.\//, '').replace(/\.js$/, '.ts')}`)
    return statement.exportClause.elements.map((element) => {
      const { name, propertyName, isTypeOnly } = element
      return {
        name: name.text,
        isValue: !statement.isTypeOnly && !isTypeOnly,
        ...documentationOf(declarationIn(file, (propertyName ?? name).text)),
      }
    })
  })
}

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(`${root}${path}`, 'utf8'), ts.ScriptTarget.Latest, true)
}

function declarationIn(file: ts.SourceFile, name: string): ts.Node {
  for (const statement of file.statements) {
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement]
    for (const declaration of declared) {
      // Of overloads the first has the comment.
      if (ts.getNameOfDeclaration(declaration as ts.Declaration)?.getText() === name) return statement
    }
  }
  throw new Error(`${file.fileName} does not declare ${name}`)
}

function documentationOf(node: ts.Node): Pick<DocumentedExport, 'comment' | 'hasExample' | 'links'> {
  const [last] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1)
  const text = last?.getText() ?? ''
  return {
    comment: ts.getTextOfJSDocComment(last?.comment) ?? '',
    hasExample: (last?.tags ?? []).some(({ tagName }) => tagName.text === 'example') && text.includes('```ts'),
    links: [...text.matchAll(/\{@link (\w+)\}/g)].map(([, name = '']) => name),
  }
}
