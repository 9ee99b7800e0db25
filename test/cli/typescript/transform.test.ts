import { readFileSync } from 'node:fs'
import module from 'node:module'
import { describe, expect, test } from 'vitest'
import { toolVersions } from '../../../src/tools/cli/tool-versions.js'
import { nodeStripTypes, type StripTypes } from '../../../src/tools/cli/typescript/strip-transform.js'
import { availableTransform } from '../../../src/tools/cli/typescript/transform.js'
import { TransformError } from '../../../src/tools/cli/typescript/transform-error.js'

const file = '/music/src/albums.ts'
const install = `npm install --save-dev oxc-transform@${toolVersions['oxc-transform'].replace('^', '')}`
const node = process.versions.node

const notInstalled = { importPackage: async () => null }
const notLoading = {
  async importPackage(): Promise<null> {
    throw new Error('Cannot find native binding.\nRemove node_modules.')
  },
}

const marked: StripTypes = (source) => `${source}, stripped`

async function failure(
  source: string,
  compilers: Parameters<typeof availableTransform>[0],
): Promise<{ readonly message: string; readonly location: string | null }> {
  const transform = await availableTransform(compilers)
  try {
    return { message: `compiled: ${transform(file, source)}`, location: null }
  } catch (thrown) {
    if (!(thrown instanceof TransformError)) throw thrown
    return { message: thrown.message, location: thrown.location }
  }
}

describe('without type stripping, TypeScript', () => {
  test('names the package to install', async () => {
    expect(await failure('', { ...notInstalled, stripTypes: () => null })).toEqual({
      message: `'${file}' is TypeScript, which on Node ${node} needs the package 'oxc-transform': ${install}. Node 22.13 and later need no package. Or compile it, and give the path of the JavaScript.`,
      location: null,
    })
  })

  test('names the version to install if the package has no binding for the platform', async () => {
    const { platform, arch } = process
    expect(await failure('', { ...notLoading, stripTypes: () => null })).toEqual({
      message: `'${file}' is TypeScript, which on Node ${node} needs the package 'oxc-transform', which is installed, but does not load on ${platform} ${arch} (Cannot find native binding). Install the version that Ashlar is tested with: ${install}. Node 22.13 and later need no package. Or compile it, and give the path of the JavaScript.`,
      location: null,
    })
  })
})

describe('the package', () => {
  test('compiles the whole syntax, also where Node removes types', async () => {
    const { message } = await failure('export enum Genre { Jazz }', { stripTypes: () => marked })
    expect(message).toMatch(/^compiled: .*Genre\["Jazz"\] = 0|Genre\[Genre\["Jazz"\] = 0\]/s)
  })

  test('is replaced by Node if it does not load', async () => {
    for (const compilers of [notInstalled, notLoading]) {
      expect(await failure('source', { ...compilers, stripTypes: () => marked })).toMatchObject({
        message: 'compiled: source, stripped',
      })
    }
  })
})

/** Errors of `stripTypeScriptTypes`, as several versions of Node have thrown them. */
function nodeError(message: string, stack: string): StripTypes {
  return () => {
    throw Object.assign(new SyntaxError(message), { stack })
  }
}

const enumText = 'TypeScript enum is not supported in strip-only mode'
const trace = '    at parseTypeScript (node:internal/modules/typescript:63:40)'
const enumFailure = {
  message: `${enumText}. Node only removes types: other syntax of TypeScript needs the package 'oxc-transform': ${install}.`,
  location: `${file}:2:8`,
}

test.each([
  {
    version: '22.14, unsupported syntax',
    strip: nodeError(
      `  x ${enumText}\n   ,-[2:1]\n 1 | const x = 1\n 2 | export enum A { B }\n   :        ^^^^^^^^^^^^\n   \`----\n`,
      '',
    ),
    expected: enumFailure,
  },
  {
    version: '22.13, invalid syntax',
    strip: nodeError(
      '  x Unexpected eof\n   ,-[2:2]\n 1 | const x = {\n 2 | \n   `----\n\n\nCaused by:\n    failed to parse',
      '',
    ),
    expected: { message: 'Unexpected eof', location: `${file}:2` },
  },
  {
    version: '26, unsupported syntax',
    strip: nodeError(
      enumText,
      `:2\nconst x = 1\nexport enum A { B }\n       ^^^^^^^^^^^^\n\nSyntaxError [ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX]: ${enumText}\n${trace}`,
    ),
    expected: enumFailure,
  },
  {
    version: '26, invalid syntax',
    strip: nodeError(
      'Expression expected',
      `:12\nconst y = = 2\n          ^\n\nSyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expression expected\n${trace}`,
    ),
    expected: { message: 'Expression expected', location: `${file}:12:11` },
  },
])('errors of Node $version have a location', async ({ strip, expected }) => {
  expect(await failure('', { ...notInstalled, stripTypes: () => strip })).toEqual(expected)
})

/** A model of type stripping for every version of Node: removes `: string`, and refuses a comma after `@` outside of texts. */
function modelOfStripping(source: string): string {
  const line = source.split('\n').findIndex((text) => /^[^'"/*]*@,/.test(text)) + 1
  if (line > 0) throw Object.assign(new SyntaxError('Expression expected'), { stack: `:${line}\n\nSyntaxError` })
  return source.replaceAll(': string', '        ')
}

describe.each([
  { name: 'a model of it', stripTypes: () => modelOfStripping },
  ...(nodeStripTypes() === null ? [] : [{ name: `Node ${node}`, stripTypes: nodeStripTypes }]),
])('type stripping by $name', ({ stripTypes }) => {
  test('replaces types by spaces', async () => {
    const source = "// @ts-check, music@example.com\nexport const title: string = 'a@b' + '@'"
    expect((await failure(source, { ...notInstalled, stripTypes })).message).toBe(
      `compiled: ${source.replace(': string', '        ')}`,
    )
  })

  test('reports decorators, which would be a syntax error without a location', async () => {
    const source = "// by @music\nexport const title: string = '@a'\n\n  @Injectable()\nclass Albums {}\n"
    expect(await failure(source, { ...notInstalled, stripTypes })).toEqual({
      message: `JavaScript has no decorators. Node only removes types: decorators need the package 'oxc-transform': ${install}.`,
      location: `${file}:4:3`,
    })
  })
})

test('Node removes types from 22.13 on', () => {
  expect(nodeStripTypes() === null).toBe(!('stripTypeScriptTypes' in module))
})

test('the guide names the same version to install', () => {
  const page = new URL('../../../docs/guide/command-line.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toContain(`\n${install}\n`)
})
