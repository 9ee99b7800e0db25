import type { RuleChapter, ServiceRule } from './service-rule.js'

/** The rules for readers, with links to code and tests. */
export function rulesPage(chapters: readonly RuleChapter[]): string {
  const sections = chapters.map(({ title, rules }) => {
    return [`## ${title}`, '', '| Rule | Code | Test |', '|---|---|---|', ...rules.map(rowOf)].join('\n')
  })
  return `${opening}\n${sections.join('\n\n')}\n`
}

function rowOf({ rule, code, test: [file, name] }: ServiceRule): string {
  const path = `test/${file}.test.ts`
  return `| ${rule} | [\`${code}\`](../../src/${code}) | [\`${path}\`](../../${path}): *${escaped(name)}* |`
}

/** Names of tests may have characters with a meaning in Markdown or Vue. */
function escaped(name: string): string {
  return name
    .replaceAll(/[|*_[\]]/g, String.raw`\$&`)
    .replaceAll('{', '&#123;')
    .replaceAll('<', '&lt;')
}

const opening = `# Rules of the service

<!-- Written from the ledger in test/docs/rules by a test. Change it there. -->

What every server does, rule by rule, with the file that implements the rule and one test that fails if it is broken. Most rules have more
tests: the other tests of the same file. [Conformance](conformance.md) has the statements of JSON:API, and [Decisions](decisions.md) what
neither of them says.
`
