import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { type AttributeKit, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readYaml } from '../../src/tools/cli/diff/read-yaml.js'
import { runCli } from '../../src/tools/cli/run-cli.js'
import { yamlText } from '../../src/tools/cli/yaml-text.js'
import { ashlar } from '../support/cli.js'
import { runs } from '../support/runs.js'
import { sourceFolder } from '../support/source-folder.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

const diff = (...args: readonly string[]) => ashlar('diff', ...args)

interface AlbumRow {
  id: number
  title: string
  rating: number
  year: number
}

type Attributes = (a: AttributeKit<AlbumRow>) => Readonly<Record<string, unknown>>

const old: Attributes = (a) => ({ title: a.string(), rating: a.integer(), year: a.integer() })

const newer: Attributes = (a) => ({
  title: a.string().maxLength(100),
  year: a.integer().deprecated({ sunset: '2031-12-31' }),
})

/** Returns the document of a service with albums. */
function documentWith(attributes: Attributes): object {
  const declared = { model: model<AlbumRow>('albums'), id: id(), attributes: attributes as never }
  return createServer({ resources: [defineResource('albums', declared) as never], data: memoryData() }).openapi()
}

const [oldText, newText] = [old, newer].map((attributes) => JSON.stringify(documentWith(attributes))) as [
  string,
  string,
]

/** Returns the paths of files in a new folder, as messages show them. */
function files(texts: Readonly<Record<string, string>>): (name: string) => string {
  const folder = sourceFolder(texts)
  return (name) => relative(cwd(), join(folder, name))
}

const both = () => files({ 'old.json': oldText, 'new.json': newText })

describe('two documents', () => {
  test('are compared, and breaking changes end with 1', async () => {
    const path = both()
    expect(await diff(path('old.json'), path('new.json'))).toEqual({
      code: 1,
      err: '',
      out: `Breaking: 2
  albums
    - The attribute 'rating' of 'albums' is gone. [member-removed albums.rating]
      Remedy: deprecate it with a sunset, and remove it after that day.
    - The attribute 'title' of 'albums' has a new rule in requests: at most 100 characters. [request-rule-tightened albums.title]
      Remedy: apply it only to new resources, or to a new member.

Safe: 1
  albums
    - The attribute 'year' of 'albums' is deprecated, until 2031-12-31. [deprecation-added albums.year]

2 breaking and 1 safe changes from '${path('old.json')}' to '${path('new.json')}'.`,
    })
  })

  test('with the same contract end with 0', async () => {
    const path = both()
    expect(await diff(path('old.json'), path('old.json'))).toEqual({
      code: 0,
      err: '',
      out: `No changes from '${path('old.json')}' to '${path('old.json')}'.`,
    })
  })

  test('may be YAML, as ashlar openapi writes it', async () => {
    const path = files({
      'old.yaml': `${yamlText(JSON.parse(oldText))}\n`,
      'new.yml': yamlText(JSON.parse(newText)),
    })
    const { code, out } = await diff(path('old.yaml'), path('new.yml'))
    expect(code).toBe(1)
    expect(out).toContain('2 breaking and 1 safe changes')
  })

  test('give the changes as data', async () => {
    const path = both()
    const { code, out } = await diff(path('old.json'), path('new.json'), '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      from: path('old.json'),
      to: path('new.json'),
      failOn: 'breaking',
      counts: { breaking: 2, risky: 0, safe: 1, accepted: 0 },
      changes: [
        {
          severity: 'breaking',
          code: 'member-removed',
          place: 'albums.rating',
          type: 'albums',
          operations: [],
          sentence: "The attribute 'rating' of 'albums' is gone.",
          remedy: 'deprecate it with a sunset, and remove it after that day',
        },
        { code: 'request-rule-tightened' },
        { code: 'deprecation-added', remedy: null },
      ],
      accepted: [],
      unused: [],
    })
  })

  test('give Markdown for a comment', async () => {
    const path = both()
    const { out } = await diff(path('old.json'), path('new.json'), '--format', 'markdown')
    expect(out).toMatch(
      /^### Breaking: 2\n\n- The attribute 'rating' of 'albums' is gone\. `member-removed albums\.rating`\n {2}\*Remedy:\* /,
    )
    expect(out).toContain('### Safe: 1\n\n- ')
  })

  test('list changes of texts on demand', async () => {
    const withDescription = JSON.stringify(documentWith((a) => ({ title: a.string().describedAs('A title.') })))
    const path = files({
      'old.json': JSON.stringify(documentWith((a) => ({ title: a.string() }))),
      'new.json': withDescription,
    })
    expect((await diff(path('old.json'), path('new.json'))).out).toMatch(/^No changes /)
    expect((await diff(path('old.json'), path('new.json'), '--all')).out).toContain('[text-changed albums.title]')
  })

  test('have colours on a terminal', async () => {
    const path = both()
    const lines: string[] = []
    const output = { out: (text: string) => lines.push(text), err: () => undefined, hasColors: true }
    await runCli(['diff', path('old.json'), path('new.json')], output)
    expect(lines.join('\n')).toContain('\u001B[1m\u001B[31mBreaking: 2\u001B[39m\u001B[22m')
  })
})

const risky = (values: readonly ['a', ...'b'[]]): string =>
  JSON.stringify(documentWith((a) => ({ title: a.string().enum(values) })))

describe('the exit code', () => {
  test.each([
    { failOn: 'breaking', isBreaking: true, code: 1 },
    { failOn: 'risky', isBreaking: true, code: 1 },
    { failOn: 'never', isBreaking: true, code: 0 },
    { failOn: 'breaking', isBreaking: false, code: 0 },
    { failOn: 'risky', isBreaking: false, code: 1 },
    { failOn: 'never', isBreaking: false, code: 0 },
  ])('is $code with --fail-on $failOn, breaking: $isBreaking', async ({ failOn, isBreaking, code }) => {
    const path = isBreaking ? both() : files({ 'old.json': risky(['a']), 'new.json': risky(['a', 'b']) })
    expect((await diff(path('old.json'), path('new.json'), '--fail-on', failOn)).code).toBe(code)
  })
})

describe('accepted changes', () => {
  test('do not count, and are listed with their reasons', async () => {
    const path = files({
      'old.json': oldText,
      'new.json': newText,
      'accepted.txt': `# Changes of the summer.

member-removed albums.rating  # Nobody reads it, as the logs say.
request-rule-tightened   albums.title # Longer titles were never shown. See #12.
type-removed tags # Gone with the last release.
`,
    })
    const { code, out } = await diff(path('old.json'), path('new.json'), '--accept', path('accepted.txt'))
    expect(code).toBe(0)
    expect(out).toContain(`Accepted: 2
  - The attribute 'rating' of 'albums' is gone. [member-removed albums.rating]
    Accepted: Nobody reads it, as the logs say.`)
    expect(out).toContain('    Accepted: Longer titles were never shown. See #12.')
    expect(out).toContain('Accepted changes that no longer occur:\n  - type-removed tags')
    expect(out).toContain('1 safe and 2 accepted changes')
    const markdown = await diff(
      path('old.json'),
      path('new.json'),
      '--accept',
      path('accepted.txt'),
      '--format',
      'markdown',
    )
    expect(markdown.out).toContain('### Accepted: 2')
    const { accepted, unused } = JSON.parse(
      (await diff(path('old.json'), path('new.json'), '--accept', path('accepted.txt'), '--json')).out,
    ) as { accepted: readonly { reason: string }[]; unused: readonly string[] }
    expect(accepted.map(({ reason }) => reason)).toContain('Nobody reads it, as the logs say.')
    expect(unused).toEqual(['type-removed tags'])
  })

  test.each([
    {
      line: 'member-remved albums.rating # x',
      message: "there is no change 'member-remved'. Did you mean 'member-removed'?",
    },
    { line: 'member-removed # x', message: 'has no place: write member-removed albums.title # the reason' },
    { line: 'member-removed albums.rating', message: 'has no reason: write it after a #.' },
  ])('refuses $line', async ({ line, message }) => {
    const path = files({ 'old.json': oldText, 'accepted.txt': `\n${line}` })
    const { code, err } = await diff(path('old.json'), path('old.json'), '--accept', path('accepted.txt'))
    expect(code).toBe(2)
    expect(err).toContain(`Line 2 of '${path('accepted.txt')}'`)
    expect(err).toContain(message)
  })
})

describe('a module', () => {
  test('is compared with a document, on either side', async () => {
    const folder = sourceFolder({})
    const file = join(folder, 'openapi.json')
    await ashlar('openapi', module('costed'), '--output', file)
    expect(await diff(file, module('costed'))).toMatchObject({ code: 0, err: '' })
    expect(await diff(module('costed'), file)).toMatchObject({ code: 0, err: '' })
    expect((await diff(file, module('sound'))).code).toBe(1)
  })

  test('has several servers', async () => {
    const folder = sourceFolder({})
    const file = join(folder, 'openapi.open.json')
    await ashlar('openapi', module('costed'), '--server', 'open', '--output', file)
    expect(await diff(file, module('costed'), '--server', 'open')).toMatchObject({ code: 0 })
    expect((await diff(file, module('costed'))).out).toContain('[address-removed service]')
  })
})

test.each([
  {
    name: 'one argument',
    args: ['a.json'],
    message: 'diff needs the old contract and the new one (a document, a module or a commit).',
  },
  {
    name: 'no such file',
    args: ['absent.json', module('sound')],
    message: "There is no file 'absent.json', and git knows no branch, tag or commit 'absent.json'.",
  },
  {
    name: 'no such commit',
    args: ['v0.0.0', module('sound')],
    message: 'If it is a branch that CI has not fetched: git fetch --depth=1 origin v0.0.0:v0.0.0',
  },
  { name: 'a server that cannot be built', args: [module('faulty'), module('sound')], message: '2 faults' },
  {
    name: 'no such server',
    args: [module('sound'), module('sound'), '--server', 'x'],
    message: "There is no server 'x'.",
  },
  {
    name: 'another severity',
    args: ['a', 'b', '--fail-on', 'risk'],
    message: "'--fail-on' is one of breaking, risky, never, not 'risk'. Did you mean 'risky'?",
  },
])('does not understand $name, and ends with 2', async ({ args, message }) => {
  const { code, out, err } = await diff(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})

test.each([
  { text: '{', message: 'is not JSON: ' },
  { text: '[]', message: 'is not an OpenAPI document. Write it with `ashlar openapi`.' },
  { text: '{"openapi":"3.1.0","info":{},"paths":{}}', message: 'is an OpenAPI document that Ashlar has not written' },
  {
    text: '{"openapi":"3.1.0","info":{"x-generator":{"contract":9}},"paths":{}}',
    message: 'has the structure 9, and this version of Ashlar reads 2.',
  },
])('cannot compare the document $text', async ({ text, message }) => {
  const path = files({ 'old.json': text, 'new.json': newText })
  const { code, err } = await diff(path('old.json'), path('new.json'))
  expect(code).toBe(2)
  expect(err).toContain(`'${path('old.json')}' ${message}`)
})

/** Creates a repository whose branch `main` has the files; returns its path, and a function that commits others. */
function repository(texts: Readonly<Record<string, string>>): {
  readonly folder: string
  readonly commit: (changed: Readonly<Record<string, string>>) => void
  readonly git: (...args: readonly string[]) => string
} {
  const folder = sourceFolder({})
  const git = (...args: readonly string[]): string => {
    const settings = ['-c', 'user.name=a', '-c', 'user.email=a@music.example', '-c', 'commit.gpgsign=false']
    return execFileSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8' })
  }
  const commit = (changed: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    git('add', '--all')
    git('commit', '--quiet', '--message', 'A change')
  }
  git('init', '--quiet', '--initial-branch', 'main')
  commit(texts)
  return { folder, commit, git }
}

/** A module whose server describes itself by a file next to it. Vitest loads it, as Node would. */
const described = (document: string): string => `
import { readFileSync } from 'node:fs'
const text = readFileSync(new URL('${document}', import.meta.url), 'utf8')
export const server = { routes: () => [], types: [], inspect: () => null, openapi: () => JSON.parse(text) }
`

describe('a commit', () => {
  test('has a document next to the module, or in a folder above it', async () => {
    const { folder, commit, git } = repository({ 'api/openapi.json': oldText })
    git('tag', 'v1')
    commit({ 'api/openapi.json': newText, 'api/dist/server.js': described('../openapi.json') })
    for (const name of ['v1', 'HEAD~1', 'main~1', git('rev-parse', '--short', 'v1').trim()]) {
      const { code, out } = await diff(name, join(folder, 'api/dist/server.js'))
      expect(code).toBe(1)
      expect(out).toContain(`2 breaking and 1 safe changes from '${name}:api/openapi.json' to `)
    }
    expect((await diff('main', join(folder, 'api/dist/server.js'))).code).toBe(0)
    // The document of the same path.
    expect((await diff('v1', join(folder, 'api/openapi.json'))).out).toContain('2 breaking')
  })

  test('has a document that is named, from the root of the repository on', async () => {
    const { folder } = repository({ 'contract/v1.json': oldText, 'contract/v2.yaml': yamlText(JSON.parse(newText)) })
    const file = join(folder, 'contract/v2.yaml')
    expect((await diff('main:contract/v1.json', file)).out).toContain("from 'main:contract/v1.json'")
    expect((await diff('main:contract/v2.yaml', file)).code).toBe(0)
    expect(await diff('main:contract/v3.json', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining("The commit 'main' has no file 'contract/v3.json'.") as string,
    })
  })

  test('has the document of a named server', async () => {
    const { folder } = repository({
      'openapi.json': oldText,
      'openapi.admin.json': newText,
      'server.js': described('openapi.admin.json'),
    })
    expect((await diff('main', join(folder, 'server.js'), '--server', 'admin')).code).toBe(0)
    expect((await diff('main', join(folder, 'server.js'))).code).toBe(1)
  })

  test('without a document ends with 2, and explains what to do', async () => {
    const { folder } = repository({ 'server.js': described('openapi.json') })
    const { code, err } = await diff('main', join(folder, 'server.js'))
    expect(code).toBe(2)
    expect(err).toContain("The commit 'main' has no OpenAPI document: there is no 'openapi.json' next to")
    expect(err).toContain("Name it, as in 'main:path/to/openapi.json', or build the commit: --build 'npm run build'.")
    expect(err).toContain('write one with `ashlar openapi --output`, and commit it.')
  })
})

describe('--build', () => {
  const copies = `node -e "require('node:fs').cpSync('source.json','dist/openapi.json')"`

  test('builds the commit elsewhere, and changes nothing in the repository', async () => {
    const { folder, commit, git } = repository({
      'source.json': oldText,
      'dist/server.js': described('openapi.json'),
      '.gitignore': 'node_modules\ndist/openapi.json\n',
    })
    git('tag', 'v1')
    commit({ 'source.json': newText })
    writeFileSync(join(folder, 'dist/openapi.json'), newText)
    mkdirSync(join(folder, 'node_modules'))
    const before = [git('status', '--porcelain'), git('worktree', 'list'), readdirSync(join(folder, '.git')).toSorted()]
    const temporary = sourceFolder({})
    vi.stubEnv('TMPDIR', temporary)
    const { code, out, err } = await diff('v1', join(folder, 'dist/server.js'), '--build', copies)
    expect(err).toBe(`Building the commit 'v1' with \`${copies}\`.`)
    expect(code).toBe(1)
    expect(out).toContain("2 breaking and 1 safe changes from 'v1' to ")
    expect([
      git('status', '--porcelain'),
      git('worktree', 'list'),
      readdirSync(join(folder, '.git')).toSorted(),
    ]).toEqual(before)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('has the packages of the project, which a command may remove', async () => {
    const { folder } = repository({
      'dist/server.js': described('openapi.json'),
      'source.json': oldText,
      '.gitignore': 'node_modules\n',
    })
    const tool = `const { cpSync, readdirSync, rmSync } = require('node:fs')
      cpSync('source.json', 'dist/openapi.json')
      for (const name of readdirSync('node_modules')) rmSync('node_modules/' + name, { recursive: true })`
    for (const name of ['tool', '@scope/tool']) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true })
      writeFileSync(join(folder, 'node_modules', name, 'index.js'), tool)
    }
    writeFileSync(join(folder, 'dist/openapi.json'), oldText)
    const command = 'node node_modules/@scope/tool && test ! -e node_modules/tool'
    expect(await diff('main', join(folder, 'dist/server.js'), '--build', command)).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'node_modules/tool'))).toEqual(['index.js'])
    expect(readdirSync(join(folder, 'node_modules/@scope/tool'))).toEqual(['index.js'])
  })

  test('that fails ends with 2, and shows what the command has printed', async () => {
    const { folder } = repository({ 'server.js': described('openapi.json') })
    const { code, err } = await diff('main', join(folder, 'server.js'), '--build', 'echo no compiler here; exit 3')
    expect(code).toBe(2)
    expect(err).toContain("has failed at the commit 'main':\nno compiler here")
  })

  test('needs a module', async () => {
    const { folder } = repository({ 'openapi.json': oldText })
    const { code, err } = await diff('main', join(folder, 'openapi.json'), '--build', 'true')
    expect(code).toBe(2)
    expect(err).toContain('--build needs a module to load')
  })
})

describe('YAML', () => {
  test('is read as it is written', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('null', '- a', 'a: b', '#', "it's", ' x', '1', '', 'a\nb', '"', '[]'),
    )
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(
          text.filter((name) => name !== '__proto__'),
          tie('value'),
          { maxKeys: 4, noNullPrototype: true },
        ),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        expect(await readYaml(yamlText(given), 'x.yaml')).toEqual(given)
      }),
      { numRuns: runs(800) },
    )
  })

  test('may have been formatted', async () => {
    const text =
      "---\n# A comment.\nopenapi: '3.1.0' # a version\nlist:\n- a # one\n- 'it''s'\n-\n  b: 1\nempty:\nurl: http://a.example/#x\n"
    expect(await readYaml(text, 'x.yaml')).toEqual({
      openapi: '3.1.0',
      list: ['a', "it's", { b: 1 }],
      empty: null,
      url: 'http://a.example/#x',
    })
  })

  test('may have lists in brackets, texts of several lines and aliases', async () => {
    const text = 'a: [1, 2]\nb: |\n  x\n  y\nc: &c {d: 1}\ne: *c\n'
    expect(await readYaml(text, 'x.yaml')).toEqual({ a: [1, 2], b: 'x\ny\n', c: { d: 1 }, e: { d: 1 } })
  })

  test.each<[string, number]>([
    ['a: b\n c: d', 1],
    ['- a\nb: c', 2],
    ['a: "x', 1],
  ])('with a fault is refused: %s', async (text, line) => {
    const message = new RegExp(`^'x\\.yaml' cannot be read as YAML at line ${line}: [A-Z][^\\n]+\\.$`)
    await expect(readYaml(text, 'x.yaml')).rejects.toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
    )
  })

  test('whose aliases would make it huge is refused', async () => {
    const nested = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefg'.split('').map((name, index) => {
        const before = '*' + 'abcdef'[index]
        return `${name}: &${name} [${Array.from({ length: 10 }, () => before).join(', ')}]`
      }),
    ]
    await expect(readYaml(nested.join('\n'), 'x.yaml')).rejects.toThrow(
      /^'x\.yaml' cannot be read as YAML: Excessive alias count/,
    )
  })
})

test('the document of the music catalogue is compared with an older one', async () => {
  const file = fileURLToPath(new URL('../../examples/music/openapi.json', import.meta.url))
  const older = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, unknown> }
  older.paths['/albums/{id}/-actions/remaster'] = older.paths['/albums/{id}/-actions/reissue']
  delete older.paths['/albums/{id}/-actions/reissue']
  const path = files({ 'openapi.json': JSON.stringify(older) })
  const { code, out } = await diff(path('openapi.json'), file)
  expect(code).toBe(1)
  expect(out).toContain('[operation-moved POST /albums/{id}/-actions/remaster]')
})
